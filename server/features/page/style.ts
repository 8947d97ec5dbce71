// The page's style sheet: a well-lit glass case, hairlines, one accent colour, and the system's own fonts. The vendor's
// accent colour stays readable on light and on dark backgrounds.

/** Hexadecimal, `#rrggbb`. */
export type Colour = string;

const INK = { light: "#171b1a", dark: "#e8eceb" } as const;
export const GROUND = { light: "#fbfbf9", dark: "#121514" } as const;
/** Glass has this colour at its edge. */
export const DEFAULT_COLOUR: Colour = "#0f6e60";

export function styleFor(colour: Colour | undefined): string {
  return palette(colour) + SHEET;
}

export function noticeStyleFor(colour: Colour | undefined): string {
  return palette(colour) + NOTICE_SHEET;
}

/** The vendor's accent colour for a light and for a dark background: darkened or lightened until it has the contrast
 * that small text needs (WCAG 2, 1.4.3), with a margin. */
export function accents(colour = DEFAULT_COLOUR): { light: Colour; dark: Colour } {
  // Grey text looks disabled.
  if (asHsl(colour).saturation < 0.1) return INK;
  return { light: readable(colour, GROUND.light, -1), dark: readable(colour, GROUND.dark, 1) };
}

/** The contrast of two colours, 1 to 21. */
export function contrast(one: Colour, other: Colour): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function palette(colour = DEFAULT_COLOUR): string {
  const accent = accents(colour);
  // The brand's own colour, under the text that contrasts more with it.
  const onBrand = contrast(colour, "#000000") > contrast(colour, "#ffffff") ? "#000" : "#fff";
  // Freshness keeps the default colour: a vendor's red must not look like an alarm.
  const good = accents();
  return `:root{color-scheme:light dark;--brand:${colour};--on-brand:${onBrand};--ground:${GROUND.light};--accent:${accent.light};--good:${good.light};${LIGHT}}
@media screen and (prefers-color-scheme:dark){:root{--ground:${GROUND.dark};--accent:${accent.dark};--good:${good.dark};${DARK}}}
@media(forced-colors:active){:root{${FORCED}}}`;
}

const MIN_CONTRAST = 5.5;

/** Changes the lightness only, so that it stays the vendor's colour. `step`: towards black or white. */
function readable(colour: Colour, ground: Colour, step: -1 | 1): Colour {
  const { hue, saturation, lightness } = asHsl(colour);
  for (let light = lightness; light >= 0 && light <= 1; light += step / 200) {
    const candidate = light === lightness ? colour : fromHsl({ hue, saturation, lightness: light });
    if (contrast(candidate, ground) >= MIN_CONTRAST) return candidate;
  }
  return step === 1 ? "#ffffff" : "#000000";
}

/** `hue`: in sixths of a turn; the others are 0 to 1. */
function asHsl(colour: Colour) {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((value) => value / 255);
  const [least, most] = [Math.min(red, green, blue), Math.max(red, green, blue)];
  const [lightness, chroma] = [(least + most) / 2, most - least];
  if (chroma === 0) return { hue: 0, saturation: 0, lightness };
  const saturation = chroma / (1 - Math.abs(2 * lightness - 1));
  if (most === red) return { hue: ((green - blue) / chroma + 6) % 6, saturation, lightness };
  const hue = most === green ? (blue - red) / chroma + 2 : (red - green) / chroma + 4;
  return { hue, saturation, lightness };
}

function fromHsl({ hue, saturation, lightness }: ReturnType<typeof asHsl>): Colour {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (start: number) => {
    const turn = (start + hue * 2) % 12;
    return lightness - reach * Math.max(-1, Math.min(turn - 3, 9 - turn, 1));
  };
  return `#${[0, 8, 4]
    .map((start) =>
      Math.round(channel(start) * 255)
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;
}

function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((value) => {
    const share = value / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channels(colour: Colour): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16));
}

const LIGHT = `--glass:#fff;--ink:${INK.light};--soft:#5a6260;--line:#dfe3e1;--edge:#c9d0cd;--warn:#8a4a00;--bad:#a3302a;--shade:#1d2b2614`;
const DARK = `--glass:#191d1c;--ink:${INK.dark};--soft:#9da6a3;--line:#2a302e;--edge:#3b4340;--warn:#e6b366;--bad:#f29a8e;--shade:#0006`;
/** Fills and strokes of charts, and dots, are not forced by themselves. */
const FORCED =
  "--ground:Canvas;--glass:Canvas;--ink:CanvasText;--soft:CanvasText;--line:GrayText;--edge:CanvasText;--accent:LinkText;--good:CanvasText;--warn:CanvasText;--bad:CanvasText";

const NOTICE_SHEET = `
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-content:center;padding:2rem clamp(1.25rem,5vw,4rem);background:var(--ground);color:var(--ink);font:1.0625rem/1.6 -apple-system,"Segoe UI",Inter,Roboto,"Noto Sans",system-ui,sans-serif;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
main{max-width:44rem;background:var(--glass);border:1px solid var(--edge);border-radius:4px;padding:clamp(1.5rem,5vw,3rem);box-shadow:0 2.5rem 3rem -2.5rem var(--shade),0 1px 3px var(--shade)}
main>*{margin:0}
main>*+*{margin-top:1rem}
h1{font-size:clamp(1.5rem,4vw,2rem);line-height:1.2;font-weight:600;letter-spacing:-.02em;text-wrap:balance}
p:first-child,th{color:var(--soft);font-weight:400}
a{color:var(--accent);text-underline-offset:.2em}
a:focus-visible{outline:2px solid var(--accent);outline-offset:3px;border-radius:3px}
table{width:100%;border-collapse:collapse;font-size:.875rem;overflow-wrap:normal}
th,td{text-align:left;vertical-align:baseline;padding:.625rem 1rem .625rem 0;border-bottom:1px solid var(--line)}
[data-state]:not([data-state=fresh]){color:var(--warn)}
@media(max-width:40rem){tr{display:grid;padding:.75rem 0;border-bottom:1px solid var(--line)}th,td{border:0;padding:0}thead{display:none}td::before{content:attr(data-label) " ";color:var(--soft)}}
`;

const SHEET = `
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-padding-top:1.5rem}
body{margin:0;background:var(--ground);color:var(--ink);font:1.0625rem/1.6 "Segoe UI Variable Text",-apple-system,BlinkMacSystemFont,"Segoe UI",Inter,Roboto,"Noto Sans",system-ui,sans-serif;font-variant-numeric:tabular-nums;-webkit-font-smoothing:antialiased;overflow-wrap:anywhere}
body>*{max-width:70rem;margin:auto;padding-inline:clamp(1.25rem,5vw,4rem)}
h1,h2,h3,h4,p,ul,dl,dd,pre,fieldset{margin:0;padding:0}
h1{font-size:clamp(2.125rem,5vw,3.25rem);line-height:1.08;font-weight:600;letter-spacing:-.035em;text-wrap:balance}
h2{font-size:1.0625rem;line-height:1.5rem;font-weight:600;letter-spacing:-.005em}
h3{font-size:1.0625rem;line-height:1.5rem;font-weight:600}
h4{font-size:.9375rem;font-weight:600}
ul{list-style:none}
a{color:var(--accent);text-decoration-thickness:1px;text-underline-offset:.2em}
a:hover{text-decoration-thickness:2px}
:focus-visible{outline:2px solid var(--accent);outline-offset:3px;border-radius:3px}
code,pre,.addresses a{font-family:ui-monospace,"SF Mono",SFMono-Regular,"Cascadia Mono","JetBrains Mono",Menlo,Consolas,"Liberation Mono",monospace;font-size:.875rem;line-height:1.6;font-variant-ligatures:none}
pre{white-space:pre-wrap;tab-size:2}
pre i{font-style:normal;color:var(--accent)}
time{white-space:nowrap}
img{display:block;max-width:100%}
header{padding-block:.75rem 1.75rem}
nav{display:flex;gap:0 1.5rem;margin-bottom:clamp(.75rem,4vw,3rem);font-size:.9375rem;overflow-x:auto;white-space:nowrap;scrollbar-width:none}
nav a,footer a{color:var(--soft);text-decoration:none;display:inline-flex;align-items:center;min-height:44px}
nav a:hover,footer a:hover{color:var(--ink);text-decoration:underline}
.skip{position:absolute;top:-9rem;background:var(--glass);padding:.5rem 1rem}
.skip:focus{top:.5rem;z-index:1}
.title{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1.25rem}
.lead{width:fit-content;max-width:48rem;margin-block:.75rem;font-size:1.125rem;line-height:1.5;color:var(--soft);text-wrap:pretty}
.case{background:var(--glass);border:1px solid var(--edge);border-radius:4px;box-shadow:0 2.5rem 3rem -2.5rem var(--shade),0 1px 3px var(--shade)}
.case section{padding:1.25rem 1.75rem 1.5rem;min-width:0}
.case h2{font-size:1em;font-weight:400;color:var(--soft)}
.case section+section{border-top:1px solid var(--line)}
#downloads>div{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,18rem),1fr));gap:1.5rem 3.5rem}
.fresh,.stamp,.unavailable{font-size:.9375rem;color:var(--soft)}
.stamp:empty{display:none}
.fresh+.unavailable,.case .unavailable,#downloads h3+p{margin-top:.25rem}
.fresh::before,.state::before{content:"";display:inline-block;width:.5em;height:.5em;margin-right:.6em;border-radius:50%;background:var(--good);vertical-align:.08em}
[data-state=stale].fresh,[data-state=stale].stamp,.unavailable,.state[data-state=stale],.state[data-state=missing]{color:var(--warn)}
[data-state=stale].fresh::before,.state[data-state=stale]::before,.state[data-state=missing]::before{background:none;box-shadow:inset 0 0 0 2px}
.facts[data-state=stale] :is(.price b,.version){color:var(--soft);text-decoration:underline dashed 1px;text-underline-offset:.2em}
.addresses{border-top:1px solid var(--line)}
.addresses div{display:grid;grid-template-columns:5rem 1fr;gap:0 1rem;align-items:center;border-bottom:1px solid var(--line)}
.addresses dt{color:var(--soft);font-size:.9375rem}
.addresses dd{display:flex;justify-content:space-between;align-items:center;gap:1rem;min-height:52px}
.addresses a{display:flex;align-items:center;min-height:44px;color:inherit;text-decoration:none}
.addresses a:hover{text-decoration:underline}
main>section{display:grid;grid-template-columns:10rem minmax(0,44rem);gap:1.5rem 3rem;padding-block:3.5rem;border-top:1px solid var(--line)}
.case+section{border:0}
main>section:last-child{border-bottom:1px solid var(--line)}
main>section>div>*+*,main>section article>*+*{margin-top:1.25rem}
main>section>div>h3:not(:first-child){margin-top:2.5rem}
button,.button{font:inherit;font-size:.9375rem;font-weight:500;display:inline-flex;align-items:center;justify-content:center;min-height:44px;padding:.25rem 1rem;color:var(--accent);background:none;border:1px solid var(--edge);border-radius:4px;text-decoration:none;cursor:pointer}
button:hover,.button:hover{border-color:var(--accent)}
button[hidden]{display:none}
#downloads .button{display:block;margin-top:.625rem;padding:.5rem 1rem;line-height:1.4;text-align:center;background:var(--brand);color:var(--on-brand)}
#downloads .button:hover{text-decoration:underline}
#downloads .button bdi{display:block;font-size:.8125rem;font-weight:400}
[data-copy]{flex:none;min-width:5.5rem;padding:.25rem .75rem;margin-right:-.75rem;border-color:transparent;justify-content:flex-end;font-size:.875rem}
.switch{border:0;display:flex;flex-wrap:wrap;gap:0 1.5rem}
@supports not selector(:has(a)){.switch{display:none}}
.switch legend,#announcement,.away{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.case section:has(article,.switch)>h2{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.switch label{position:relative;display:inline-flex;cursor:pointer}
.switch input{position:absolute;inset:0;margin:0;opacity:0;cursor:pointer;width:100%;height:100%}
.switch span{display:inline-flex;align-items:center;gap:.5em;min-height:44px;color:var(--soft);border-bottom:2px solid transparent}
.switch b{font-weight:500;font-size:.8125rem;color:var(--accent)}
.switch :checked+span{color:var(--ink);border-color:var(--accent)}
.switch :focus-visible+span{outline:2px solid var(--accent);outline-offset:3px;border-radius:3px}
.plans li{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:center;gap:.25rem 1.5rem;padding:.75rem 0;border-top:1px solid var(--line)}
.plans:first-child li:first-child{border:0}
.plans:has(li:nth-child(9)) li{padding-block:.25rem}
.plans li>div{flex:1 1 7rem}
.plans h3{font-size:1.125rem;line-height:1.4;font-weight:500}
.plans bdi{display:inline-block}
.plans .id::first-letter{text-transform:uppercase}
.popular{background:color-mix(in srgb,var(--accent) 8%,transparent);margin-inline:-1rem;padding-inline:1rem!important;border-radius:4px}
.buy{flex:none;width:5.5rem}
.popular .buy{background:var(--brand);color:var(--on-brand);border-color:transparent}
.plans:has(.buy) li:not(:has(.buy))::after{content:"";width:5.5rem}
.title img{width:auto;object-fit:contain}
.home{margin-inline-start:auto;display:flex;align-items:center;min-height:44px}
.paper{display:none}
.plans li>div p{color:var(--soft);font-size:.875rem;text-align:left}
.each{display:block}
em{font-style:normal;font-size:.8125rem;font-weight:500;letter-spacing:0;color:var(--accent);white-space:nowrap}
.plans h3{display:flex;flex-wrap:wrap;align-items:baseline;gap:0 .5rem}
.required{color:var(--warn)}
.price{margin-left:auto;text-align:right}
.price b+span{display:inline-block}
.price b{unicode-bidi:isolate;font-size:1.5rem;line-height:1.3;font-weight:400;letter-spacing:-.02em}
.price span span,.price>span:not([data-cycle]){color:var(--soft);font-size:.875rem}
#downloads h3{display:flex;flex-wrap:wrap;align-items:baseline;gap:0 .75rem;color:var(--soft);font-weight:400}
.version{font-size:1.75rem;line-height:1.2;letter-spacing:-.02em;color:var(--ink)}
.date{margin-left:auto;font-size:.875rem}
.about{margin-top:.375rem;color:var(--soft);font-size:.8125rem}
.about code{font-size:inherit;overflow-wrap:anywhere}
.news{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,17rem),1fr));gap:2rem 3rem}
.news>*+*{margin-top:0!important}
.news article>*+*{margin-top:.5rem!important}
.changelog{font-size:.9375rem}
.changelog :is(p,li){white-space:pre-line;unicode-bidi:plaintext}
.changelog li{position:relative;padding-inline-start:1.125em;margin-block:.25rem}
.changelog li::before{content:"–";position:absolute;inset-inline-start:0;color:var(--soft)}
details{border-bottom:1px solid var(--line)}
details+details{margin-top:0!important}
summary{display:flex;align-items:center;min-height:48px;font-size:.9375rem;font-weight:500;cursor:pointer;list-style:none}
summary::-webkit-details-marker{display:none}
summary::before{content:"";width:.45em;height:.45em;margin:0 .9em 0 .2em;border:solid var(--soft);border-width:0 1.5px 1.5px 0;transform:rotate(-45deg);transition:transform .15s}
[open]>summary::before{transform:rotate(45deg)}
details>:last-child{margin-bottom:1.5rem}
.copy{display:flex;align-items:start;justify-content:space-between;gap:1rem}
.copy pre{padding:.625rem 0;min-width:0}
table{width:100%;border-collapse:collapse;font-size:.9375rem}
th,td{text-align:left;vertical-align:baseline;padding:.75rem 1.5rem .75rem 0;border-bottom:1px solid var(--line);font-weight:400}
thead th{color:var(--soft);font-size:.8125rem;padding-top:0}
th:last-child,td:last-child{padding-right:0}
tbody th span:not(.state){color:var(--soft);font-size:.8125rem;display:block}
tbody tr:last-child>*{border-bottom:0}
#status>div>table tr:last-child>*{border-bottom:1px solid var(--line)}
.state{white-space:nowrap}
.tools{display:grid;gap:1rem}
.tools dd{color:var(--soft);font-size:.9375rem}
.command{border-top:1px solid var(--line);padding-top:1rem;margin-top:1rem!important}
.command h3{font-size:.9375rem;font-weight:400;color:var(--soft)}
.lines{margin-top:.75rem!important}
.line{display:grid;grid-template-columns:9.5rem minmax(0,1fr) 5.5rem;gap:1rem;align-items:center;border-top:1px solid var(--line);padding:.625rem 0}
.line dt{font-size:.9375rem}
.line dd:last-child{text-align:right;font-size:.9375rem;color:var(--soft)}
.line dd{display:flex;justify-content:flex-end}
.axis{display:flex;justify-content:space-between;margin:0 6.5rem 0 10.5rem!important;padding-top:.5rem;border-top:1px solid var(--line);color:var(--soft);font-size:.8125rem;white-space:nowrap}
.legend{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;color:var(--soft);font-size:.8125rem;border-top:1px solid var(--line);padding-top:.75rem;margin-top:0!important}
.legend span{display:flex;align-items:end;gap:.5rem}
svg{display:block;overflow:visible}
svg path{fill:none;stroke:var(--accent);stroke-width:1.5;vector-effect:non-scaling-stroke}
svg line{stroke:var(--edge)}
svg circle{fill:var(--accent)}
svg text{font-size:12px;fill:var(--soft)}
rect{fill:var(--edge)}
.changed{fill:var(--good)}
.held{fill:none;stroke:var(--warn)}
.failed{fill:none;stroke:var(--bad)}
footer{display:flex;flex-wrap:wrap;gap:0 1.5rem;padding-block:1.5rem 4rem;font-size:.9375rem;color:var(--soft)}
footer span{margin-left:auto;display:inline-flex;align-items:center;min-height:44px}
@media(max-width:52rem){
main>section{grid-template-columns:minmax(0,1fr);padding-block:3rem}
h2{font-size:1.375rem;letter-spacing:-.015em}
.case section{padding:1rem 1.125rem}
.case section+section{padding-top:.25rem}
header{padding-bottom:1.125rem}
.lead{font-size:1rem}
.plans li{display:grid;grid-template-columns:minmax(7.5rem,1fr) minmax(0,auto);gap:.25rem 1rem;padding:.5rem 0}
.plans li>div{grid-row:span 2}
.buy{justify-self:end}
.plans:has(.buy) li:not(:has(.buy))::after{content:none}
.addresses div{grid-template-columns:1fr;padding:.625rem 0 0}
.addresses dd{min-height:44px}
code,pre,.addresses a{font-size:.8125rem}
.line{grid-template-columns:1fr auto;gap:.25rem 1rem}
.line dd:not(:last-child){grid-area:2/1/auto/3}
.axis{margin:0!important}
[data-copy]{min-width:4rem}
th,td{padding-right:.75rem}
#status table{font-size:.8125rem}
#status time{display:block;min-width:22vw}
thead th{overflow-wrap:normal}
time{white-space:normal}
}
@media(max-width:24rem){
.plans li{grid-template-columns:minmax(4.5rem,1fr) minmax(0,auto)}
.price b{font-size:1.25rem}
}
@media(prefers-reduced-motion:reduce){*{transition:none!important;scroll-behavior:auto!important}}
@media(forced-colors:active){
#downloads .button{background:Canvas;border:2px solid LinkText;color:LinkText}
.switch span{border-color:Canvas}
.switch :checked+span{border-color:Highlight}
[data-copy]{margin:2px 0;justify-content:center}
}
@media print{
nav,button,.skip,.switch{display:none!important}
.paper{display:block}
[data-cycle]{display:block!important}
.button,#downloads .button{background:none!important;color:inherit;border:0;padding:0;text-align:start}
#downloads a::after{content:" " attr(href);overflow-wrap:anywhere}
.fresh time[title]{font-size:0}
.fresh time[title]::after{content:attr(title);font-size:1rem}
.buy,.runs{display:none}
section,article,li{break-inside:avoid}
}
`;
