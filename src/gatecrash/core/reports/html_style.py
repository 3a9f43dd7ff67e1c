"""The style of the HTML report: one column, quiet colours, dark where the reader's screen is, black on white on paper."""

STYLE = """
:root{color-scheme:light dark;--ink:#16202c;--soft:#5a6775;--line:#dbe1e8;--paper:#fff;--tint:#f4f6f9;--accent:#1f5fbf;
--bad:#b3261e;--warn:#8a5a00;--good:#1b6b3a}
@media (prefers-color-scheme:dark){:root{--ink:#e6ebf1;--soft:#9aa7b5;--line:#303b47;--paper:#12181f;--tint:#1a222b;
--accent:#7fb0ff;--bad:#ff8a80;--warn:#f0c060;--good:#7ed6a0}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:72rem;margin:0 auto;padding:2rem 1.25rem}
h1{margin:.1em 0 .3em;font-size:2rem;line-height:1.2;overflow-wrap:anywhere}
h2{margin:2.5rem 0 .75rem;font-size:1.35rem}
h3{margin:0 0 .75rem;font-size:1.1rem}
h4{margin:1rem 0 .25rem;font-size:.9rem;color:var(--soft)}
a{color:var(--accent)}
.brand{margin:0;color:var(--soft);font-size:.9rem}
.verdict,.badge,.state{display:inline-block;padding:.1em .6em;border:1px solid currentColor;border-radius:1em;
font-size:.8rem;font-weight:600;white-space:nowrap}
.verdict{font-size:1rem}
.failed,.critical,.high{color:var(--bad)}
.error,.interrupted,.medium{color:var(--warn)}
.passed{color:var(--good)}
.low,.skipped,.waiting{color:var(--soft)}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(7.5rem,1fr));gap:.5rem;margin:1.25rem 0;padding:0;list-style:none}
.tiles li{padding:.6rem .8rem;border:1px solid var(--line);border-radius:.5rem;background:var(--tint);
color:var(--soft);font-size:.85rem}
.tiles b{display:block;color:var(--ink);font-size:1.5rem;line-height:1.2;font-variant-numeric:tabular-nums}
.tiles .bad b{color:var(--bad)}.tiles .warn b{color:var(--warn)}.tiles .good b{color:var(--good)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem;margin:.5rem 0}
dt{color:var(--soft)}
dd{margin:0;overflow-wrap:anywhere}
.notice{padding:.8rem 1rem;border-left:4px solid var(--warn);background:var(--tint)}
.scroll{overflow-x:auto}
table{width:100%;border-collapse:collapse;font-size:.9rem}
th,td{padding:.4rem .6rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
th{color:var(--soft);font-weight:600}
body{overflow-wrap:break-word}.found td:nth-child(3){overflow-wrap:anywhere;min-width:10rem}.found td:nth-child(4){min-width:12rem}.found td:nth-child(5){min-width:6rem}
.requests th:last-child,.requests td:last-child{text-align:right;font-variant-numeric:tabular-nums}
code,pre{font:.85rem/1.45 ui-monospace,monospace;overflow-wrap:anywhere}
article{margin:1.5rem 0;padding:1.25rem;border:1px solid var(--line);border-radius:.6rem}
.proof{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr));gap:.75rem;margin-top:1rem}
figure{margin:0;min-width:0}
figcaption{color:var(--soft);font-size:.85rem}
pre{max-height:24rem;margin:.25rem 0;padding:.75rem;border-radius:.4rem;background:var(--tint);overflow:auto;
white-space:pre-wrap}
footer{margin-top:3rem;border-top:1px solid var(--line);color:var(--soft);font-size:.85rem}
@media (max-width:40rem){dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.6rem}article{padding:1rem}
thead{display:none}tr{display:flex;flex-wrap:wrap;gap:.25rem .75rem;padding:.6rem 0;border-bottom:1px solid var(--line)}
td{padding:0;border:0}.found td:nth-child(n){min-width:0}td:empty{display:none}.requests td:nth-child(2),.requests td:nth-child(4){order:1;flex-basis:100%}
.requests td:last-child{margin-left:auto}.requests td:last-child::after{content:" sent";color:var(--soft)}}
@media print{:root{color-scheme:light}main{max-width:none;padding:0}article{break-inside:avoid-page}
pre{max-height:none}}
"""
