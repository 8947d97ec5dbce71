# Vitrine behind Varnish (tested with 7.1). Start:
#   varnishd -a :80 -f default.vcl -s default,64m -p backend_idle_timeout=4 -p http_req_hdr_len=32k -p http_max_hdr=256
# Vitrine closes idle connections after 5 s; with 4, Varnish is first, and no request fails at that moment. The other
# two allow long and numerous headers, which Varnish would otherwise refuse with a bare 400.
#
# Outages of Vitrine are bridged for as long as Cache-Control allows, which is never past the end of the facts: TTL is max-age,
# and grace is stale-if-error. Do not set either to anything else. README.md has the measurements.
vcl 4.1;

import std;

backend vitrine {
    .host = "127.0.0.1";
    .port = "3000";
    # Vitrine answers from memory, in milliseconds.
    .connect_timeout = 1s;
    .first_byte_timeout = 3s;
    .between_bytes_timeout = 3s;
}

sub vcl_recv {
    if (req.restarts == 0) {
        unset req.http.X-Encoding;
        unset req.http.X-Bridge;
        # As stale-while-revalidate: a client gets an older copy only if Vitrine has no answer.
        set req.grace = 30s;
    } else {
        set req.http.X-Bridge = "1";
        set req.grace = 365d;
    }
    # Vitrine does not answer ranges.
    unset req.http.Range;
    if (req.method != "GET" && req.method != "HEAD") {
        # More than Vitrine accepts: it refuses before the end of the body, which Varnish would take for an outage.
        if (std.integer(req.http.Content-Length, 0) > 65536) {
            return (pipe);
        }
        return (pass);
    }
    unset req.http.Cookie;
    unset req.http.Authorization;
    # One line each: below, only the first of several would count, but all would reach Vitrine. `gzip` and `br` in two lines made
    # Brotli the copy for every client without it.
    std.collect(req.http.Accept);
    std.collect(req.http.Accept-Encoding);

    # The target in its normal form, without the parameters that Vitrine ignores: the key, and the target for Vitrine.
    # Unusual spellings (escapes in names, two platforms, an unknown platform) are passed on unchanged and uncached, and so
    # are parts of the JSON Feed: anyone could fill the memory with them.
    if (req.url ~ "[^!-~]|^.{2049}") {
        return (pass);
    } elseif (req.url ~ "^/api/v1/releases/latest/?(?:\?(?:(?!platform(?:[=&]|$))[^%=&#]*+(?:=[^&#]*+)?+(?:&|$))*+)?$") {
        set req.url = "/api/v1/releases/latest";
    } elseif (req.url ~ "^/api/v1/releases/latest/?\?(?:(?!platform[=&])[^%=&#]*+(?:=[^&#]*+)?+&)*+platform=(?:macos|windows)(?:&(?!platform(?:[=&]|$))[^%=&#]*+(?:=[^&#]*+)?+)*+$") {
        set req.url = regsub(req.url, "^.*[?&]platform=(macos|windows).*$", "/api/v1/releases/latest?platform=\1");
    } elseif (req.url ~ "^(?!/api/v1/releases/|/changes\.json/?\?)(?:(?:/[\w-][\w.-]*+|/\.well-known)++/?|/)(?:\?[^#]*+)?$") {
        set req.url = regsub(req.url, "\?.*$", "");
    } else {
        return (pass);
    }

    # Varnish itself handles only gzip and plain; Brotli gets a key of its own.
    if (req.http.Accept-Encoding ~ "(?i)(?:^|,)\s*br\s*(?:;\s*q=(?:1(?:\.0*)?|0\.\d*[1-9]\d*)\s*)?(?:,|$)") {
        set req.http.X-Encoding = "br";
    }
    # The page at / is Markdown if Accept names it, and has Vary: Accept. It has two copies: for Markdown alone, and for
    # everything without it. Other spellings are passed on uncached: with a copy for each, anyone could fill the memory and
    # so push out the copies that bridge an outage.
    if (req.http.Accept ~ "(?i)^\s*text/markdown\s*$") {
        set req.http.Accept = "text/markdown";
    } elseif (req.url == "/" && req.http.Accept ~ "(?i)text/markdown") {
        return (pass);
    } else {
        unset req.http.Accept;
    }
    return (hash);
}

# So that the next request on the connection is not piped as well.
sub vcl_pipe {
    set bereq.http.Connection = "close";
}

# Without Host, on which Vitrine's responses do not depend.
sub vcl_hash {
    hash_data(req.url);
    hash_data(req.http.X-Encoding);
    return (lookup);
}

sub vcl_backend_fetch {
    if (bereq.http.X-Encoding) {
        set bereq.http.Accept-Encoding = bereq.http.X-Encoding;
        unset bereq.http.X-Encoding;
    }
}

sub vcl_backend_response {
    # By default, a 502 replaces a good copy. Abandoned, the request starts again and takes any copy that may be used; without
    # one, it gets the 502 of its second fetch.
    if (beresp.status >= 500 && (bereq.is_bgfetch || !(bereq.uncacheable || bereq.http.X-Bridge))) {
        return (abandon);
    }
    # Errors are no-store. Varnish remembers that, so that requests do not queue: here for a second instead of two
    # minutes, in which requests for random addresses would fill its memory.
    if (beresp.status >= 400) {
        set beresp.uncacheable = true;
        set beresp.ttl = 1s;
        return (deliver);
    }
    if (beresp.http.Cache-Control ~ "stale-if-error=\d+") {
        set beresp.grace = std.duration(regsub(beresp.http.Cache-Control, "^.*stale-if-error=(\d+).*$", "\1s"), 0s);
    }
    # An answer from another cache that sends no Age, such as nginx, but Vitrine's own Date: its time has begun already.
    # Vitrine's own answers are at most a second old by their Date, which Varnish does not count itself.
    if (!beresp.http.Age && std.time(beresp.http.Date, now) < now - 2s) {
        set beresp.ttl = beresp.ttl - (now - std.time(beresp.http.Date, now));
        if (beresp.ttl < 0s) {
            set beresp.grace = beresp.grace + beresp.ttl;
            set beresp.ttl = 0s;
        }
        if (beresp.grace <= 0s) {
            set beresp.grace = 0s;
        }
    }
}

sub vcl_deliver {
    unset resp.http.Accept-Ranges;
    # Promises what is left, since nginx and others behind this cache ignore Age and would start counting again.
    if (!obj.uncacheable && resp.http.Cache-Control ~ "^public, max-age=\d+, stale-while-revalidate=\d+, stale-if-error=\d+$") {
        if (obj.ttl > 0s) {
            set resp.http.X-Left = std.integer(duration = obj.grace, fallback = 0);
            set resp.http.X-Revalidate = "30";
            set resp.http.Cache-Control = "public, max-age=" + std.integer(duration = obj.ttl, fallback = 0);
        } else {
            set resp.http.X-Left = std.integer(duration = obj.grace + obj.ttl, fallback = 0);
            set resp.http.X-Revalidate = std.integer(duration = 30s + obj.ttl, fallback = 0);
            set resp.http.Cache-Control = "public, max-age=0";
        }
        if (resp.http.X-Left !~ "^-") {
            if (std.integer(resp.http.X-Revalidate, 0) > std.integer(resp.http.X-Left, 0)) {
                set resp.http.X-Revalidate = resp.http.X-Left;
            } elseif (resp.http.X-Revalidate ~ "^-") {
                set resp.http.X-Revalidate = "0";
            }
            set resp.http.Cache-Control = resp.http.Cache-Control + ", stale-while-revalidate=" + resp.http.X-Revalidate
                + ", stale-if-error=" + resp.http.X-Left;
        }
        unset resp.http.X-Left;
        unset resp.http.X-Revalidate;
        unset resp.http.Age;
        set resp.http.Date = now;
    }
}

# If Vitrine cannot be reached; its own errors pass unchanged.
sub vcl_backend_error {
    if (bereq.is_bgfetch || !(bereq.uncacheable || bereq.http.X-Bridge)) {
        return (abandon);
    }
    set beresp.http.Content-Type = "application/json";
    set beresp.http.Cache-Control = "no-store";
    set beresp.http.Access-Control-Allow-Origin = "*";
    set beresp.http.X-Content-Type-Options = "nosniff";
    set beresp.http.Retry-After = "60";
    set beresp.body = {"{"error":"The service is temporarily unavailable. Please try again later." }"};
    return (deliver);
}

# The errors of Varnish itself, in Vitrine's format; after an abandoned fetch, another attempt.
sub vcl_synth {
    if (resp.status == 503 && req.restarts == 0) {
        return (restart);
    }
    set resp.http.Content-Type = "application/json";
    set resp.http.Cache-Control = "no-store";
    set resp.http.Access-Control-Allow-Origin = "*";
    set resp.http.X-Content-Type-Options = "nosniff";
    set resp.http.Retry-After = "60";
    set resp.body = {"{"error":"The service is temporarily unavailable. Please try again later." }"};
    return (deliver);
}
