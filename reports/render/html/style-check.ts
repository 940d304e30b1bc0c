/** The styles of an opened check, and of the section on how to repeat a run. */
export const checkStyle = `
.lead .statement>p:first-child{font-size:1.0625rem;line-height:1.45}
.outcome{display:flex;gap:.5rem;align-items:baseline;margin:.75rem 0 .6rem}.outcome .icon{align-self:center}
.mismatch.warn{border-color:var(--warn)}.mismatch.accepted{border-color:var(--accepted)}.mismatch{padding:.2rem 0 .2rem .9rem}.mismatch+.mismatch{margin-top:.9rem}.mismatch .request{display:flex;flex-wrap:wrap;gap:.35rem .5rem;align-items:center;min-height:1.75rem}.mismatch .request>span{flex:0 1 auto;min-width:0}.mismatch .request .icon{flex:none}
.value{font-family:var(--mono);white-space:pre-wrap;margin-top:.2rem}.mismatch h4{margin:.4rem 0 0;font-size:.75rem;font-weight:600;color:var(--soft)}
.line{display:block;min-height:1.5em}.line[data-line]{position:relative;padding-left:3.2em}.line[data-line]::before{content:attr(data-line) / "";position:absolute;left:0;width:2.2em;text-align:right;color:var(--soft);user-select:none}
.fold>summary{cursor:pointer;color:var(--link);font-family:var(--sans);font-size:.75rem;padding:.15rem 0}
.document{display:block;border-left:2px solid var(--edge);margin:.2rem 0 .2rem 1rem;padding-left:.4rem;color:light-dark(#15602c,#85d59a)}
mark{text-decoration:underline;text-decoration-thickness:2px;text-underline-offset:.18em;font-weight:600;padding:0 .1em}
abbr.made{text-decoration:underline dotted var(--edge);text-underline-offset:.2em;cursor:help}
.judged>.body{margin-top:.3rem}.judged .note{margin-top:.15rem}
.story li{display:flex;align-items:baseline}.story li+li{margin-top:.15rem}.story li .icon{align-self:start;margin-top:.28em}.story li>span{min-width:0}
.names{display:grid;grid-template-columns:fit-content(10rem) minmax(0,1fr);gap:.1rem .9rem}.names .body{margin-top:0}.names dd{min-width:0}
.proof p{margin-top:.35rem}.proof p:first-child{margin-top:0}.faults{margin:.15rem 0 .3rem}.faults li{padding:.1rem 0 .1rem 1rem;text-indent:-1rem}.faults li::before{content:"–" / "";display:inline-block;width:1rem;text-indent:0;color:var(--soft)}
.pins{display:grid;grid-template-columns:fit-content(14rem) 1fr;gap:.2rem 1.25rem;font-size:.8125rem;margin-top:.6rem}.pins dt{color:var(--soft)}.conditions .note{margin-top:.4rem}
.times tbody th{white-space:normal;overflow-wrap:anywhere}.times td,.times thead th{white-space:nowrap}
.timeline svg{display:block}.timeline .note{margin-top:.4rem}.timeline path{stroke:none}.timeline .wait{fill:var(--edge)}.timeline .lock{fill:var(--ink)}.timeline .retry{fill:var(--fail)}.timeline .tick path{stroke:var(--rule)}.timeline text{font-size:10px;fill:var(--soft)}.timeline .frame{fill:none;stroke:var(--focus);stroke-width:2;pointer-events:all;cursor:pointer}
.timeline .pass{fill:color-mix(in srgb,var(--pass) 55%,var(--paper))}${['fail', 'warn', 'error', 'accepted', 'not-verified', 'not-applicable'].map((one) => `.timeline .${one}{fill:var(--${one})}`).join('')}
.others{border:1px dashed var(--rule);border-radius:6px}.others>summary{cursor:pointer;padding:.4rem .75rem;font-size:.8125rem;color:var(--link)}.others>.exchange{margin:0 .4rem .4rem}
.url{margin-bottom:.5rem}.about{margin-top:1.25rem}
.sequence{list-style:none;margin:0 0 1rem;padding:.5rem .5rem .6rem;border:1px solid var(--rule);border-radius:6px}.sequence{--phase:4rem}.sequence li{position:relative;padding-left:var(--phase);display:grid;grid-template-columns:repeat(var(--columns),minmax(0,1fr));align-items:end;background:linear-gradient(to right,transparent calc(50% - .5px),var(--rule) 0 calc(50% + .5px),transparent 0) 0 0/calc(100%/var(--columns)) 100% content-box}.sequence .heads,.sequence .note{background:none}
.sequence .heads b{text-align:center;font-size:.75rem;padding-bottom:.2rem}.sequence .phase{position:absolute;left:0;bottom:0;color:var(--soft);font-size:.75rem}
.sequence .step{position:relative;margin:0 calc(50%/var(--span));border:0;border-bottom:1.5px solid var(--edge);border-radius:0;padding:.2rem .6rem .1rem;min-height:0;font:.75rem/1.4 var(--mono);text-align:center;background:none}
.sequence .step::after{content:"";position:absolute;right:0;bottom:-.28rem;width:.4rem;height:.4rem;border:solid var(--edge);border-width:1.5px 1.5px 0 0;transform:rotate(45deg)}.sequence .back::after{right:auto;left:0;transform:rotate(-135deg)}
.sequence .step:hover{background:var(--sheet)}.sequence .wrong{border-color:var(--fail)}.sequence .wrong .status{color:var(--fail)}.sequence .wrong::after{border-color:var(--fail)}.sequence .status{font-weight:600}
@media(max-width:44rem){.sequence{--phase:2.6rem}.sequence .step{font-size:.6875rem;padding:.2rem .3rem .1rem}}
@media(max-width:44rem){.names{grid-template-columns:1fr;gap:0}.names dd{margin-bottom:.25rem}.line[data-line]{padding-left:2.4em}.line[data-line]::before{width:1.6em}}
@media print{.fold::details-content{content-visibility:visible;height:auto}.fold>summary{display:none}}
`
