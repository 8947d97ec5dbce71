// The page's style sheet: a well-lit glass case, hairlines, one accent colour, and the system's own fonts.
import { accents, GROUND, type Colour } from "./colour.ts";

/** The edge of glass. */
export const DEFAULT_COLOUR: Colour = "#0f6e60";

export function styleFor(colour: Colour): string {
  const accent = accents(colour);
  // Freshness keeps the default colour: a vendor's red must not look like an alarm.
  const good = accents(DEFAULT_COLOUR);
  return `:root{color-scheme:light dark;--ground:${GROUND.light};--accent:${accent.light};--good:${good.light};${LIGHT}}
@media(prefers-color-scheme:dark){:root{--ground:${GROUND.dark};--accent:${accent.dark};--good:${good.dark};${DARK}}}
${SHEET}`.replace(/\n\s*/g, "\n");
}

const LIGHT =
  "--glass:#fff;--ink:#171b1a;--soft:#5a6260;--line:#dfe3e1;--edge:#c9d0cd;--warn:#8a4a00;--bad:#a3302a;--shade:#1d2b2614";
const DARK =
  "--glass:#191d1c;--ink:#e8eceb;--soft:#9da6a3;--line:#2a302e;--edge:#3b4340;--warn:#e6b366;--bad:#f29a8e;--shade:#0006";

const SHEET = `
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-padding-top:1.5rem}
body{margin:0;background:var(--ground);color:var(--ink);font:1.0625rem/1.6 "Segoe UI Variable Text",-apple-system,BlinkMacSystemFont,"Segoe UI",Inter,Roboto,"Noto Sans",system-ui,sans-serif;font-variant-numeric:tabular-nums;-webkit-font-smoothing:antialiased;overflow-wrap:anywhere}
body>*{max-width:70rem;margin:auto;padding-inline:clamp(1.25rem,5vw,4rem)}
h1,h2,h3,h4,p,ul,dl,dd,pre,fieldset{margin:0;padding:0}
h1{font-size:clamp(2.75rem,7.5vw,4.75rem);line-height:1.04;font-weight:600;letter-spacing:-.035em;text-wrap:balance}
h2{font-size:1.0625rem;line-height:1.5rem;font-weight:600;letter-spacing:-.005em}
h3{font-size:1.0625rem;line-height:1.5rem;font-weight:600}
h4{font-size:.9375rem;font-weight:600}
ul{list-style:none}
a{color:var(--accent);text-decoration-thickness:1px;text-underline-offset:.2em}
a:hover{text-decoration-thickness:2px}
:focus-visible{outline:2px solid var(--accent);outline-offset:3px;border-radius:3px}
code,pre,output,.addresses a,#operations h3{font-family:ui-monospace,"SF Mono",SFMono-Regular,"Cascadia Mono","JetBrains Mono",Menlo,Consolas,"Liberation Mono",monospace;font-size:.875rem;line-height:1.6;font-variant-ligatures:none}
pre,output{white-space:pre-wrap;tab-size:2}
time{white-space:nowrap}
img{display:block;margin-bottom:1.75rem;max-width:100%}
header{padding-block:1.25rem 4rem}
nav{display:flex;flex-wrap:wrap;gap:0 1.5rem;margin:0 0 clamp(3rem,9vw,6.5rem);font-size:.9375rem}
nav a,footer a{color:var(--soft);text-decoration:none;display:inline-flex;align-items:center;min-height:44px}
nav a:hover,footer a:hover{color:var(--ink);text-decoration:underline}
.lead{max-width:40rem;margin-top:1.25rem;font-size:1.25rem;line-height:1.5;color:var(--soft);text-wrap:pretty}
.case{display:grid;grid-template-columns:repeat(3,1fr);margin-top:3rem;background:var(--glass);border:1px solid var(--edge);border-radius:4px;box-shadow:0 2.5rem 3rem -2.5rem var(--shade),0 1px 3px var(--shade)}
.case li+li{border-left:1px solid var(--line)}
.case a{display:flex;flex-direction:column;height:100%;padding:1.5rem 1.75rem 1.625rem;color:inherit;text-decoration:none}
.case span{font-size:.9375rem;color:var(--soft)}
.case strong{font-size:clamp(1.75rem,3.4vw,2.375rem);line-height:1.25;font-weight:500;letter-spacing:-.02em;margin:.375rem 0 .25rem}
.case .none{color:var(--soft);font-size:1.375rem;line-height:2.2}
.case a:hover strong{color:var(--accent)}
.fresh,.stamp,.unavailable{font-size:.9375rem;color:var(--soft)}
.case~p{margin-top:1.5rem}
.fresh+.unavailable{margin-top:.25rem}
.fresh b{color:var(--good);font-weight:600}
.fresh::before,.state::before{content:"";display:inline-block;width:.5em;height:.5em;margin-right:.6em;border-radius:50%;background:var(--good);vertical-align:.08em}
[data-state=stale].fresh,[data-state=stale].stamp,.unavailable,.state[data-state=stale],.state[data-state=missing]{color:var(--warn)}
[data-state=stale].fresh::before,.state[data-state=stale]::before,.state[data-state=missing]::before{background:none;box-shadow:inset 0 0 0 2px}
.facts[data-state=stale] :is(.price b,.version,strong){color:var(--soft);text-decoration:underline dashed 1px;text-underline-offset:.2em}
.addresses{margin-top:2.5rem;border-top:1px solid var(--line)}
.addresses div{display:grid;grid-template-columns:10rem 1fr;gap:0 3rem;align-items:center;border-bottom:1px solid var(--line)}
.addresses dt{color:var(--soft);font-size:.9375rem}
.addresses dd{display:flex;justify-content:space-between;align-items:center;gap:1rem;min-height:52px}
.addresses a{display:flex;align-items:center;min-height:44px;color:inherit;text-decoration:none}
.addresses a:hover{text-decoration:underline}
section{display:grid;grid-template-columns:10rem minmax(0,1fr);gap:1.5rem 3rem;padding-block:4rem;border-top:1px solid var(--line)}
section:last-child{border-bottom:1px solid var(--line)}
section>div>*+*,article>*+*{margin-top:1.25rem}
section h3:not(:first-child){margin-top:2.5rem}
button,.button{font:inherit;font-size:.9375rem;font-weight:500;display:inline-flex;align-items:center;justify-content:center;min-height:44px;padding:.25rem 1rem;color:var(--accent);background:none;border:1px solid var(--edge);border-radius:4px;text-decoration:none;cursor:pointer}
button:hover,.button:hover{border-color:var(--accent)}
button[hidden]{display:none}
button:disabled{color:var(--soft)}
#downloads .button{background:var(--accent);border-color:var(--accent);color:var(--ground);padding-inline:1.5rem;margin-right:.75rem}
[data-copy]{flex:none;min-width:5.5rem;padding:.25rem .75rem;margin-right:-.75rem;border-color:transparent;justify-content:flex-end;font-size:.875rem}
.switch{border:0;display:flex;flex-wrap:wrap;gap:0 1.5rem;margin:-.625rem 0 1rem}
.switch legend,.away,#announcement{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.switch label{position:relative;display:inline-flex;cursor:pointer}
.switch input{position:absolute;inset:0;margin:0;opacity:0;cursor:pointer;width:100%;height:100%}
.switch span{display:inline-flex;align-items:center;gap:.5em;min-height:44px;color:var(--soft);border-bottom:2px solid transparent}
.switch b{font-weight:500;font-size:.8125rem;color:var(--accent)}
.switch :checked+span{color:var(--ink);border-color:var(--accent)}
.switch :focus-visible+span{outline:2px solid var(--accent);outline-offset:3px;border-radius:3px}
.plans li{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:baseline;gap:.5rem 1.5rem;padding:1.375rem 0;border-top:1px solid var(--line)}
.plans li:last-child{border-bottom:1px solid var(--line)}
.plans h3{font-size:1.375rem;line-height:1.3;font-weight:500;letter-spacing:-.01em}
.plans h3::first-letter{text-transform:uppercase}
.plans li>div p{color:var(--soft);font-size:.9375rem}
em{font-style:normal;font-size:.8125rem;font-weight:500;letter-spacing:0;color:var(--accent);margin-left:.5rem;white-space:nowrap}
.required{color:var(--warn)}
.price{margin-left:auto;text-align:right}
.price b{display:block;font-size:1.875rem;line-height:1.2;font-weight:400;letter-spacing:-.025em}
.price span span,.price>span:not([data-cycle]){color:var(--soft);font-size:.875rem}
.platforms{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,17rem),1fr));gap:3rem}
.platforms h3{color:var(--soft);font-weight:400}
.version{font-size:2.75rem;line-height:1.1;font-weight:400;letter-spacing:-.03em}
.platforms .version{margin-top:.25rem}
.about,.host{color:var(--soft);font-size:.9375rem}
.about{margin-top:.5rem}
.host{display:inline-block}
.changelog{white-space:pre-line;font-size:.9375rem;max-width:36rem}
h4+.changelog{margin-top:.375rem}
details{border-bottom:1px solid var(--line)}
details+details{margin-top:0!important}
summary{display:flex;align-items:center;min-height:48px;font-size:.9375rem;font-weight:500;cursor:pointer;list-style:none}
summary::-webkit-details-marker{display:none}
summary::before{content:"";width:.45em;height:.45em;margin:0 .9em 0 .2em;border:solid var(--soft);border-width:0 1.5px 1.5px 0;transform:rotate(-45deg);transition:transform .15s}
[open]>summary::before{transform:rotate(45deg)}
details>:last-child{margin-bottom:1.5rem}
.copy{display:flex;align-items:start;justify-content:space-between;gap:1rem}
.copy pre{padding:.625rem 0;min-width:0}
#operations article+article{margin-top:3.5rem}
#operations article+p{margin-top:2.5rem}
#operations h3 span{color:var(--soft);font-weight:400}
#operations h3{font-size:1rem}
.runs{display:flex;flex-wrap:wrap;align-items:center;gap:.75rem}
.statuses{color:var(--soft);font-size:.875rem}
output{display:block;max-height:24rem;overflow:auto;padding:1rem 0;border-top:1px solid var(--line)}
output:empty{display:none}
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
section{grid-template-columns:minmax(0,1fr);padding-block:3rem}
h2{font-size:1.375rem;letter-spacing:-.015em}
.case{grid-template-columns:1fr}
.case li+li{border-left:0;border-top:1px solid var(--line)}
.case a{display:grid;grid-template-columns:auto 1fr;gap:0 1.5rem;align-items:baseline;padding:1rem 1.25rem}
.case span{white-space:nowrap}
.case strong{grid-area:1/2;margin:0;font-size:1.5rem;text-align:right}
.case .none{font-size:1.125rem}
.case strong+span{grid-area:2/1/auto/3;text-align:right;white-space:normal}
.addresses div{grid-template-columns:1fr;padding:.625rem 0 0}
.addresses dd{min-height:44px}
.switch{gap:0 1.125rem;margin:0 0 1rem}
code,pre,output,.addresses a{font-size:.8125rem}
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
@media(prefers-reduced-motion:reduce){*{transition:none!important;scroll-behavior:auto!important}}
@media print{nav,button,.runs{display:none!important}}
`;
