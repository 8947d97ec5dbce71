# Vitrine behind Varnish (tested with 7.1). Start it so:
#   varnishd -a :80 -f default.vcl -s default,64m -p backend_idle_timeout=4 -p http_req_hdr_len=32k -p http_max_hdr=256
# Vitrine hangs up after 5 s of silence: with 4, Varnish is first, and no request meets the closing. The others are for
# long headers and many of them, to which Varnish by itself says 400, and nothing else.
#
# An outage of Vitrine is bridged for as long as Cache-Control allows, which is never past the facts' own end: Varnish
# takes max-age for an object's life and stale-while-revalidate for its grace. Setting either here would break that.
vcl 4.1;

import std;

backend vitrine {
    .host = "127.0.0.1";
    .port = "3000";
    # Vitrine answers out of memory, in milliseconds.
    .connect_timeout = 1s;
    .first_byte_timeout = 3s;
    .between_bytes_timeout = 3s;
}

sub vcl_recv {
    unset req.http.X-Encoding;
    # Vitrine answers with the whole.
    unset req.http.Range;
    if (req.method != "GET" && req.method != "HEAD") {
        # More than Vitrine takes: it refuses before all has come, which to Varnish is an outage unless it steps aside.
        if (std.integer(req.http.Content-Length, 0) > 65536) {
            return (pipe);
        }
        return (pass);
    }
    unset req.http.Cookie;
    unset req.http.Authorization;

    # Asked for in one spelling, without the parameters that Vitrine ignores: the key, and what Vitrine is asked. What is
    # spelled oddly (escapes in names, two platforms, a platform that there is not) passes to Vitrine as it is.
    if (req.url ~ "[^!-~]|^.{2049}") {
        return (pass);
    } elseif (req.url ~ "^/api/v1/releases/latest/?(?:\?(?:(?!platform(?:[=&]|$))[^%=&#]*+(?:=[^&#]*+)?+(?:&|$))*+)?$") {
        set req.url = "/api/v1/releases/latest";
    } elseif (req.url ~ "^/api/v1/releases/latest/?\?(?:(?!platform[=&])[^%=&#]*+(?:=[^&#]*+)?+&)*+platform=(?:macos|windows)(?:&(?!platform(?:[=&]|$))[^%=&#]*+(?:=[^&#]*+)?+)*+$") {
        set req.url = regsub(req.url, "^.*[?&]platform=(macos|windows).*$", "/api/v1/releases/latest?platform=\1");
    } elseif (req.url ~ "^(?!/api/v1/releases/)(?:(?:/[\w-][\w.-]*+|/\.well-known)++/?|/)(?:\?[^#]*+)?$") {
        set req.url = regsub(req.url, "\?.*$", "");
    } else {
        return (pass);
    }

    # Varnish itself knows gzip and plain only; Brotli gets a key of its own.
    if (req.http.Accept-Encoding ~ "(?i)(?:^|,)\s*br\s*(?:;\s*q=(?:1(?:\.0*)?|0\.\d*[1-9]\d*)\s*)?(?:,|$)") {
        set req.http.X-Encoding = "br";
    }
    # The page at / is Markdown for those who name it, and says so in Vary: one copy serves all the others.
    if (req.http.Accept !~ "(?i)text/markdown") {
        unset req.http.Accept;
    }
    return (hash);
}

# What follows such a request comes on another connection.
sub vcl_pipe {
    set bereq.http.Connection = "close";
}

# Without Host: Vitrine's answers do not depend on it.
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
    # By default a 502 that comes while a good answer is being renewed replaces it.
    if (beresp.status >= 500 && bereq.is_bgfetch) {
        return (abandon);
    }
    # Errors are no-store, which Varnish remembers, so that requests need not queue: for a second instead of two minutes,
    # in which requests for random addresses would fill its memory.
    if (beresp.status >= 400) {
        set beresp.uncacheable = true;
        set beresp.ttl = 1s;
        return (deliver);
    }
}

sub vcl_deliver {
    unset resp.http.Accept-Ranges;
}

# For when Vitrine cannot be reached; its own errors pass as they are.
sub vcl_backend_error {
    if (bereq.is_bgfetch) {
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

# What Varnish itself has to say, in Vitrine's shape.
sub vcl_synth {
    set resp.http.Content-Type = "application/json";
    set resp.http.Cache-Control = "no-store";
    set resp.http.Access-Control-Allow-Origin = "*";
    set resp.http.X-Content-Type-Options = "nosniff";
    set resp.http.Retry-After = "60";
    set resp.body = {"{"error":"The service is temporarily unavailable. Please try again later." }"};
    return (deliver);
}
