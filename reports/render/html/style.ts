import { matrixStyle } from './matrix.ts'
import { verdictColour } from './verdict-colour.ts'

const verdictColours = Object.entries(verdictColour)
  .map(([verdict, [light, dark]]) => `--${verdict}:light-dark(${light},${dark});`)
  .join('')

export const style = `
:root{color-scheme:light dark;
--paper:light-dark(#fff,#0f1216);--sheet:light-dark(#f6f7f9,#171b21);--rule:light-dark(#dfe3e8,#2b313a);--edge:light-dark(#8a929c,#6b7480);
--ink:light-dark(#1b1f24,#e6e9ed);--soft:light-dark(#57606a,#9aa4b0);--link:light-dark(#0a55b5,#7cb4ff);--focus:light-dark(#0a55b5,#7cb4ff);
${verdictColours}
--sans:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",sans-serif;--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono","DejaVu Sans Mono",monospace}
:root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}
*{box-sizing:border-box}
html{background:var(--paper);color:var(--ink);font:15px/1.5 var(--sans);-webkit-text-size-adjust:100%;scroll-padding-top:8rem}
body{margin:0;overflow-wrap:anywhere}
main,.top,footer{max-width:74rem;margin:0 auto;padding:0 1.5rem}
h1,h2,h3,h4,h5,h6,p,ul,dl,dd,pre{margin:0}ul{padding:0;list-style:none}
h1{font-size:2.1rem;line-height:1.15;letter-spacing:-.02em;font-weight:650}
h2{font-size:1.15rem;font-weight:650;letter-spacing:-.005em;margin:0 0 .5rem}
h3{font-size:.875rem;font-weight:600}h4{font-size:.9rem;margin:1.25rem 0 .5rem}h5,h6{font-size:.75rem;font-weight:600;color:var(--soft)}
a{color:var(--link);text-decoration:none}a:hover,p a{text-decoration:underline;text-underline-offset:.15em;text-decoration-thickness:from-font}
code,pre,kbd{font-family:var(--mono);font-size:.86em}
b,strong{font-weight:600}
:focus-visible{outline:2px solid var(--focus);outline-offset:2px;border-radius:3px}
.vh{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:.5rem;background:var(--paper);padding:.5rem;z-index:9}
.sheet{position:absolute;width:0;height:0}.offscreen{position:fixed;top:-10rem}
html:not(.live) .scripted{display:none}
.note{color:var(--soft);font-size:.8125rem}.nothing{color:var(--soft)}
button,select,input{font:inherit;color:inherit;background:var(--paper);border:1px solid var(--edge);border-radius:6px;padding:.25rem .65rem;min-height:2rem}
button{cursor:pointer;font-size:.8125rem}button:hover{background:var(--sheet)}
button.small{min-height:1.5rem;padding:0 .5rem;font-size:.75rem;border-color:var(--rule);color:var(--soft)}button.small:hover{color:var(--ink)}

.icon{width:1em;height:1em;flex:none;color:var(--soft);vertical-align:-.125em}
.mark{fill:none;stroke:var(--paper);stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round}
.line{fill:none;stroke:currentColor;stroke-width:1.5;stroke-linecap:round}
.icon.pass{color:var(--pass)}.icon.fail{color:var(--fail)}.icon.warn{color:var(--warn)}.icon.error{color:var(--error)}
.icon.accepted{color:var(--accepted)}.icon.not-verified{color:var(--not-verified)}.icon.not-applicable{color:var(--not-applicable)}

.top{display:flex;align-items:center;justify-content:space-between;gap:1rem;padding-top:1rem;padding-bottom:1rem}
.brand{font-size:.9375rem}.brand span{color:var(--soft);margin-left:.35rem}.tools{display:flex;gap:.4rem}.tools button{border-color:var(--rule);color:var(--soft)}
main>section,.overview{margin:0 0 2.25rem}.overview>section+section{margin-top:2rem}

.hero{border:1px solid var(--rule);border-top:4px solid var(--soft);border-radius:8px;margin-bottom:1rem!important}
.hero.pass{border-top-color:var(--pass)}.hero.fail{border-top-color:var(--fail)}.hero.not-verified,.hero.error{border-top-color:var(--not-verified)}.hero.accepted{border-top-color:var(--accepted)}
.hero.pass h1{color:var(--pass)}.hero.fail h1{color:var(--fail)}.hero.not-verified h1,.hero.error h1{color:var(--not-verified)}.hero.accepted h1{color:var(--accepted)}
.verdict{display:flex;gap:1rem;padding:1.2rem 1.5rem 1.1rem}.verdict>.icon{width:2.4rem;height:2.4rem}
.lines{margin-top:.35rem;font-size:1rem}.past{margin-left:auto;text-align:right;font-size:.8125rem;flex:none}.past ol{display:flex;gap:.3rem;margin:.3rem 0 0;padding:0;list-style:none}.past .icon{width:1.05rem;height:1.05rem}.verdict .note{margin-top:.3rem}.verdict summary{cursor:pointer;color:var(--soft);font-size:.8125rem;margin-top:.3rem}.mends{margin-top:.3rem;color:var(--soft);font-size:.875rem}
.facts{display:grid;grid-template-columns:2.1fr .8fr .95fr 1.15fr 1.1fr 1.35fr;border-top:1px solid var(--rule);padding:.9rem 1.5rem 1rem;gap:.9rem 1.25rem}
.facts dt{font-size:.75rem;color:var(--soft)}.facts dd{font-size:.875rem}.facts b{display:block}.facts span{display:block;color:var(--soft);font-size:.8125rem}

.bar{display:block;width:100%;height:8px;border-radius:4px;background:var(--sheet)}
.bar .pass{fill:var(--pass)}.bar .fail{fill:var(--fail)}.bar .warn{fill:var(--warn)}.bar .error{fill:var(--error)}.bar .accepted{fill:var(--accepted)}.bar .not-verified{fill:var(--not-verified)}.bar .not-applicable{fill:var(--rule)}
.bar.history{width:auto;height:auto;max-width:100%;margin:.25rem 0 .5rem}.history .pass{opacity:.55}.history text{font-size:11px;text-anchor:middle;fill:var(--ink)}
.counts{width:auto}.matrix.counts th,.matrix.counts td{font-size:.875rem;padding:.25rem 1.25rem .25rem 0;border:0}.counts thead th{border-bottom:1px solid var(--rule)}.counts td{position:relative}.matrix.counts tbody td+td{padding-left:1.25rem}.counts tbody td+td::before{content:"+";position:absolute;left:.1rem;color:var(--soft)}.counts tbody td:last-child::before{content:"="}.matrix.counts thead th+th{padding-left:1.25rem}.counts td>a{font-weight:600}.counts .checks>*{color:var(--soft)}.counts .checks td>a{font-weight:400}.counts .part a{font-size:.75rem;font-weight:500;margin-left:.5rem}.counts .failed a,.counts .contradicted a{color:var(--fail)}.counts .warned a{color:var(--warn)}.counts .accepted a{color:var(--accepted)}.counts .rests a{color:var(--not-verified)}.amounts .note{margin-top:.5rem}
abbr{text-decoration:underline dotted var(--edge);text-underline-offset:.2em;cursor:help}
.tip{position:fixed;z-index:8;max-width:min(26rem,calc(100vw - 1rem));background:var(--ink);color:var(--paper);font-size:.8125rem;line-height:1.4;padding:.35rem .6rem;border-radius:5px;pointer-events:none}

.failures li,.findings ul:not(.plain)>li,.blockers li{display:flex;gap:.65rem;padding:.6rem 0;border-top:1px solid var(--rule);font-size:.875rem}
.failures li .icon,.findings li .icon,.blockers li .icon{margin-top:.25em}
.failures ul,.findings ul:not(.plain),.blockers>ul{border-bottom:1px solid var(--rule);margin-bottom:.5rem}
.failures .plain li{border:0;padding:.2rem 0;gap:.45rem}.failures .plain,.failures details ul{border:0;margin:.15rem 0 0}.failures details li{border:0;padding:.1rem 0}.failures .cause{color:var(--ink);font-size:.9rem;font-weight:500}.failures .cause .note{white-space:nowrap}.failures summary{cursor:pointer;color:var(--link);font-size:.8125rem}
.failures a{font-family:var(--mono);font-size:.8125rem}.failures li p{color:var(--soft);font-size:.8125rem}.failures p b{color:var(--ink)}.failures code{color:var(--ink)}
.cause{border-top:1px solid var(--rule)}.causes .cause:last-of-type{border-bottom:1px solid var(--rule)}
.cause>summary{display:grid;grid-template-columns:1rem 1fr auto;gap:.65rem;align-items:baseline;padding:.6rem 0;cursor:pointer;list-style:none}.cause>summary::-webkit-details-marker{display:none}.cause>summary .icon{align-self:start;margin-top:.3em}.cause>summary:hover h3{text-decoration:underline;text-underline-offset:.15em}.cause>summary h3{font-size:.9375rem;font-weight:600}.cause>summary .note{white-space:nowrap}.cause>summary .note::after{content:"▸" / "";display:inline-block;width:1.1rem;text-align:right}.cause[open]>summary .note::after{content:"▾" / ""}
.contradiction{display:grid;grid-template-columns:1fr 1fr;gap:1rem 2rem;padding:.1rem 0 0 1.65rem;font-size:.875rem}.contradiction h4{margin:0 0 .25rem;font-size:.75rem;font-weight:600;color:var(--soft)}.contradiction .says{font-size:1rem;line-height:1.4;border-left:3px solid var(--edge);padding-left:.75rem;margin-bottom:.4rem}.fail .contradiction .says{border-color:var(--fail)}.warn .contradiction .says{border-color:var(--warn)}
.contradiction dl{display:grid;grid-template-columns:4.5rem 1fr;gap:.2rem .75rem}.contradiction dt{color:var(--soft);font-size:.8125rem}.contradiction .by{margin-top:.4rem;font-size:.8125rem;color:var(--soft)}.check{font-family:var(--mono);font-size:.8125rem}
.repeat,.more{padding-left:1.65rem}.repeat{padding-top:.75rem;padding-bottom:.75rem;font-size:.8125rem}.repeat summary,.more>summary{cursor:pointer;color:var(--link);font-size:.8125rem}.repeat details{margin-top:.4rem}.more{padding-bottom:.75rem}.more li{display:flex;gap:.65rem;padding:.25rem 0;font-size:.8125rem}.more li p{color:var(--soft)}
.command{display:flex;gap:.5rem;align-items:start;background:var(--sheet);border-radius:5px;padding:.35rem .35rem .35rem .7rem}.command pre{flex:1;min-width:0;font-size:.875rem;white-space:pre-wrap;line-height:1.6}
.blockers summary{cursor:pointer}.blockers summary h2{display:inline}.blockers summary+.note{margin-top:.5rem}
.findings summary{cursor:pointer;color:var(--link);font-size:.875rem}.findings summary+ul{margin-top:.5rem}.findings .rest details{width:100%}.findings .rest ul{border-bottom:0;margin-bottom:0}.findings .plain ul{border:0;margin:0}.findings .plain ul>li{display:block;border:0;padding:0}
.plain{margin:.35rem 0 0}.blockers .note{margin-bottom:.5rem}.mend{color:var(--soft)}.mend b{color:var(--ink)}

table{border-collapse:collapse;font-size:.8125rem;width:100%}
th,td{text-align:left;padding:.35rem .75rem .35rem 0;border-bottom:1px solid var(--rule);vertical-align:top;font-weight:400}
thead th{color:var(--soft);font-size:.75rem}tbody th{font-weight:500;white-space:nowrap}
.matrix{margin-top:.5rem}.matrix th,.matrix td{padding-right:.4rem;white-space:nowrap}.matrix td a,.matrix .nothing{gap:.3rem;vertical-align:top;}.matrix td a,.matrix .nothing{display:inline-flex;align-items:center;gap:.35rem;color:var(--ink);font-variant-numeric:tabular-nums;padding:.1rem 0}
.matrix td a.fail{color:var(--fail);font-weight:600}.matrix td a.not-applicable{color:var(--soft)}.matrix tbody tr:hover{background:var(--sheet)}
.coverage tbody th{white-space:normal}.scroll{overflow-x:auto}
.target details{border-top:1px solid var(--rule);padding:.6rem 0}.target details:last-child{border-bottom:1px solid var(--rule)}
.target summary,.exchange>summary,.headers>summary{cursor:pointer}.target summary h2{display:inline;font-size:.9375rem;font-weight:500}.target h3{margin:1rem 0 .25rem}.target details[open]>summary{margin-bottom:.75rem}

#results{margin-top:2.5rem}
.controls{position:sticky;top:0;z-index:2;background:var(--paper);padding:.6rem 0;border-bottom:1px solid var(--rule)}
.controls .line+.line{margin-top:.5rem}.line{display:flex;flex-wrap:wrap;gap:.5rem .75rem;align-items:center;justify-content:space-between}
.tabs{display:flex}.tabs button{border-radius:0;border-color:var(--edge)}.tabs button:first-child{border-radius:6px 0 0 6px}.tabs button:last-child{border-radius:0 6px 6px 0;border-left:0}
.tabs [aria-current]{background:var(--ink);color:var(--paper);border-color:var(--ink)}
.search{flex:1 1 12rem}.search input{width:100%;font-size:.875rem}.search input::placeholder{color:var(--soft);opacity:1}
.verdicts{display:flex;flex-wrap:wrap;gap:.35rem}.verdicts button{display:inline-flex;align-items:center;gap:.35rem;border-radius:1rem;min-height:1.75rem;padding:0 .65rem;border-color:var(--rule)}
.verdicts span{color:var(--soft);font-variant-numeric:tabular-nums}.verdicts [aria-pressed=true]{background:var(--sheet);border-color:var(--ink);box-shadow:inset 0 0 0 1px var(--ink)}
.selects{display:flex;flex-wrap:wrap;gap:.35rem}.selects select{font-size:.8125rem;min-height:1.75rem;padding:0 .35rem;max-width:11rem}
.found{font-size:.8125rem;color:var(--soft);margin-left:auto;font-variant-numeric:tabular-nums}.empty{padding:2rem 0;color:var(--soft)}

.group h3{padding:1.1rem 0 .35rem;color:var(--soft);font-family:var(--mono);font-size:.8125rem;font-weight:500}
.group>ul{border-top:1px solid var(--rule)}.item{border-bottom:1px solid var(--rule);scroll-margin-top:7rem}
.row{display:grid;grid-template-columns:1rem minmax(13rem,24rem) 1fr auto 4.5rem;gap:.15rem .75rem;align-items:baseline;width:100%;text-align:left;border:0;border-radius:0;background:none;padding:.4rem .25rem;min-height:2.25rem}
.row .icon{align-self:center;width:1.05rem;height:1.05rem}.row .name{font-family:var(--mono);font-size:.8125rem}
.row .says{color:var(--soft);white-space:nowrap;overflow:hidden;text-overflow:ellipsis}.row .ms{color:var(--soft);text-align:right;font-size:.75rem;font-variant-numeric:tabular-nums}
.level{font-size:.6875rem;line-height:1.4;padding:0 .4rem;border:1px solid var(--rule);border-radius:1rem;color:var(--soft);white-space:nowrap}.level.must{color:var(--ink);border-color:var(--edge)}
.open>.row{background:var(--sheet)}.open>.row .says{visibility:hidden}.requirements .row{grid-template-columns:1rem 15rem 1fr auto 6rem}.requirements .name{font-family:inherit}.requirements .row .says{color:var(--ink)}.requirements .group h3{font-family:inherit}
.says,.name,.body,.story p,.story li,.callout p,dd{unicode-bidi:isolate}

.detail{padding:.75rem .5rem 1.5rem 2rem;font-size:.875rem}
.callout{border-left:3px solid var(--edge);background:var(--sheet);border-radius:0 6px 6px 0;padding:.6rem .9rem;margin:.75rem 0}.callout .icon{margin-right:.4rem}
.callout.not-verified{border-color:var(--not-verified)}.callout.error{border-color:var(--error)}.callout.accepted{border-color:var(--accepted)}
.story{display:grid;grid-template-columns:6.5rem 1fr;gap:.5rem 1rem;margin-top:.9rem}.story dt{color:var(--soft);font-size:.8125rem}.story .icon{margin-right:.45rem}
.statement+.statement{margin-top:.5rem}.links li{display:flex;gap:.5rem;align-items:center;padding:.2rem 0;font-family:var(--mono);font-size:.8125rem}.detail>.links{margin-top:.6rem}
.trace{display:grid;gap:.4rem}.trace>*{min-width:0}
.exchange{border:1px solid var(--rule);border-radius:6px}.exchange>summary{display:flex;gap:.35rem .75rem;align-items:baseline;padding:.4rem .75rem;font-size:.8125rem;list-style:none}
.exchange>summary::-webkit-details-marker{display:none}.exchange>summary::before{content:"▸";color:var(--soft);width:.7rem}.exchange[open]>summary::before{content:"▾"}
.exchange>summary:hover{background:var(--sheet)}.phase{color:var(--soft);width:3.4rem;flex:none}.exchange.wrong{border-color:var(--fail)}.when>summary .phase{color:var(--ink);font-weight:600}.asked{flex:1;font-family:var(--mono);min-width:0}.beside{color:var(--soft);font-family:var(--sans)}.status{font-family:var(--mono);font-weight:600}
.retried{color:var(--not-verified);font-size:.75rem;white-space:nowrap}.exchange .ms{color:var(--soft);min-width:3.6rem;text-align:right;font-variant-numeric:tabular-nums;font-size:.75rem}
.inside{border-top:1px solid var(--rule);padding:.75rem}.sides{display:grid;grid-template-columns:1fr 1fr;gap:.75rem 1rem}.side{min-width:0}
.heading{display:flex;justify-content:space-between;align-items:center;min-height:1.75rem}.side .note{margin:.1rem 0 .4rem}.attempt+.attempt{border-top:1px solid var(--rule);margin-top:.75rem;padding-top:.5rem}
.body{background:var(--sheet);border-radius:5px;padding:.55rem .7rem;white-space:pre-wrap;max-height:26rem;overflow:auto;font-size:.78rem;line-height:1.5;margin-top:.4rem}
.json-name{color:light-dark(#0a4a9e,#8cbcff)}.json-string{color:light-dark(#15602c,#85d59a)}.json-value{color:light-dark(#8a3a00,#f0a878)}
.headers summary{font-size:.75rem;color:var(--soft);padding:.1rem 0}.headers dl{display:grid;grid-template-columns:auto 1fr;gap:.1rem .75rem;font:.75rem/1.5 var(--mono);padding:.3rem 0}.headers dt{color:var(--soft)}
.trouble{color:var(--fail)}
.mismatch{border-left:3px solid var(--fail);padding:.1rem 0 .1rem .75rem;margin-bottom:1rem}mark{background:light-dark(#ffd7d3,#6b211c);color:inherit;border-radius:2px}
dialog{border:1px solid var(--edge);border-radius:8px;background:var(--paper);color:var(--ink);padding:1.25rem 1.5rem;width:min(44rem,calc(100vw - 2rem))}dialog::backdrop{background:rgb(0 0 0/.45)}
dialog h3{margin:.75rem 0 .35rem}dialog dl{display:grid;grid-template-columns:9rem 1fr;gap:.35rem 1rem;font-size:.875rem}dialog dt{font-weight:600}dialog .note{margin-top:.75rem}kbd{border:1px solid var(--edge);border-radius:4px;padding:0 .35rem}
footer{padding-top:1.5rem;padding-bottom:2.5rem;color:var(--soft);font-size:.75rem}

@media(max-width:62rem){.contradiction{grid-template-columns:1fr}.row,.requirements .row{grid-template-columns:1rem 1fr auto 6rem}.open>.row .says{display:none}.facts{grid-template-columns:repeat(3,1fr)}.row .says{grid-column:2/-1;grid-row:2;white-space:normal}}
@media(max-width:44rem){html{scroll-padding-top:1rem}main,.top,footer{padding-left:1rem;padding-right:1rem}.overview.double{gap:2rem}.brand span{display:block;margin:0}
.sections .map .head .place{display:none}.tools button{padding:.25rem .5rem}#print{display:none}
h1{font-size:1.6rem}.verdict{padding:1.1rem 1rem}.verdict>.icon{width:1.9rem;height:1.9rem}.facts{grid-template-columns:1fr 1fr;padding:.9rem 1rem}.facts>div:first-child{grid-column:1/-1}
.matrix,.matrix tbody{display:block}.matrix thead{display:none}.matrix tr{display:grid;grid-template-columns:repeat(4,1fr);gap:.3rem .5rem;border-bottom:1px solid var(--rule);padding:.5rem 0}.matrix th{grid-column:1/-1;border:0;padding:0}
.matrix td{border:0;padding:0}.matrix td::before{content:attr(data-label);display:block;font-size:.6875rem;color:var(--soft)}
.counts{font-size:inherit}.counts tr{grid-template-columns:repeat(3,1fr)}.matrix.counts th,.matrix.counts td{padding:0}.counts td:has(.nothing){display:none}.matrix.counts tbody td+td{padding-left:0}.counts td+td::before{content:attr(data-label)!important;position:static!important}.counts .part{display:block}.counts .part a{margin:0}.controls{position:static}.item{scroll-margin-top:.5rem}.selects,.selects select{flex:1 1 40%;max-width:none}.search{flex-basis:100%}.tabs{flex:1}.tabs button{flex:1}
.row,.requirements .row{grid-template-columns:1rem 1fr auto}.row .says{grid-column:2/-1}.row .ms{display:none}.detail{padding:.75rem 0 1.25rem}.story{grid-template-columns:1fr;gap:.1rem}.story dd{margin-bottom:.6rem}
.sides{grid-template-columns:1fr}.exchange>summary{flex-wrap:wrap;padding:.4rem .6rem}.exchange .asked{flex:1 0 100%;order:9}.phase{flex:1}.inside{padding:.6rem}.exchange .ms{min-width:0}}
@media print{:root{color-scheme:light}html{font-size:11px}.top .tools,.controls,.found,.skip,button.small{display:none!important}main,.top,footer{max-width:none;padding-left:0;padding-right:0}
.body{max-height:none}.item,.exchange,.hero,.blockers li,.failures li{break-inside:avoid}.item.open{break-inside:auto}a{color:inherit}.bar rect,.hero{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
@media(prefers-reduced-motion:no-preference){.row,button{transition:background .1s}}
${matrixStyle}`
