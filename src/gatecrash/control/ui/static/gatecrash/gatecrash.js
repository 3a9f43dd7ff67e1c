// What the pages do beyond links, forms and htmx. Everything works without it but for copying and live numbers.
(() => {
  "use strict";

  const each = (root, selector, act) => root.querySelectorAll(selector).forEach(act);

  // The menu of narrow screens.
  const rail = document.querySelector(".rail");
  const menu = document.querySelector(".menu-button");
  if (menu) {
    menu.addEventListener("click", () => {
      const open = rail.toggleAttribute("data-open");
      menu.setAttribute("aria-expanded", String(open));
    });
  }

  // Light, dark, or as the system has it; the server reads the cookie, so pages do not flash.
  document.addEventListener("change", (event) => {
    if (!event.target.matches("[data-theme-choice]")) return;
    const theme = event.target.value;
    const age = theme ? 31536000 : 0;
    document.cookie = `theme=${theme}; path=/; max-age=${age}; samesite=lax`;
    if (theme) document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
  });

  // A filter acts as soon as it is chosen.
  document.addEventListener("change", (event) => {
    if (event.target.matches("form[data-auto] select")) event.target.form.requestSubmit();
  });

  // Fields that were left empty do not lengthen a shared address.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.getAttribute("method") !== "get") return;  // form.method is the field of that name, where there is one
    each(form, "input, select", (field) => { if (!field.value) field.disabled = true; });
    setTimeout(() => each(form, "[disabled]", (field) => { field.disabled = false; }), 0);
  });

  // A second click sends nothing twice. What was sent may be sent again when the page is shown again, or nothing came of it.
  const PATIENCE = 5000;
  const release = (form) => { delete form.dataset.sent; };
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.getAttribute("method") !== "post") return;
    if ("sent" in form.dataset) event.preventDefault();
    form.dataset.sent = "";
    setTimeout(release, PATIENCE, form);
  });
  addEventListener("pageshow", () => each(document, "form[data-sent]", release));

  document.addEventListener("click", (event) => {
    const copy = event.target.closest("[data-copy]");
    if (copy) copyText(copy);
    const opener = event.target.closest("[data-dialog]");
    if (opener) document.getElementById(opener.dataset.dialog).showModal();
    if (event.target.closest("[data-close]")) event.target.closest("dialog").close();
  });

  // What opened a dialog may have come anew meanwhile, so that the browser finds nothing to give the keyboard back to.
  document.addEventListener("close", (event) => {
    const opener = document.querySelector(`[data-dialog="${event.target.id}"]`);
    const at = document.activeElement;
    if (opener && (at === document.body || event.target.contains(at))) opener.focus({ preventScroll: true });
  }, true);  // this event does not bubble

  const copyText = async (button) => {
    const source = document.getElementById(button.dataset.copy);
    await navigator.clipboard.writeText(source.textContent);
    const words = button.textContent;
    button.textContent = "Copied";
    announce("Copied");
    setTimeout(() => { button.textContent = words; }, 1600);
  };

  // A slider and the number beside it.
  document.addEventListener("input", (event) => {
    const slider = event.target.closest(".slider");
    if (!slider) return;
    each(slider, "input", (field) => { if (field !== event.target) field.value = event.target.value; });
    const output = slider.querySelector("output");
    if (output && output.dataset.unit === "seconds") output.textContent = duration(Number(event.target.value));
  });

  const UNITS = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]];
  const duration = (seconds) => {
    let rest = Math.max(0, Math.floor(seconds));
    const parts = [];
    for (const [size, unit] of UNITS) {
      const number = Math.floor(rest / size);
      rest -= number * size;
      if (number || parts.length) parts.push([number, unit]);
    }
    return parts.slice(0, 2).filter(([number]) => number).map((part) => part.join(" ")).join(" ") || "0 s";
  };

  // Rows of a form that are added and removed; without this the same buttons ask the server.
  const showRow = (row) => {
    if (!row.querySelector("select")) return;
    const chosen = row.querySelector("select").selectedOptions[0];
    const text = row.querySelector("input");
    text.hidden = "nameless" in chosen.dataset;
    text.placeholder = chosen.dataset.hint;
  };
  const showRows = (rows) => rows.querySelectorAll("ol > li").forEach((row, place) => {
    each(row, "[data-label]", (part) => part.setAttribute("aria-label", `${part.dataset.label} ${place + 1}`));
    showRow(row);
  });
  each(document, "[data-rows]", showRows);
  each(document, "[data-scripted]", (part) => { part.hidden = false; });
  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-rows] select")) showRow(event.target.closest("li"));
  });
  document.addEventListener("click", (event) => {
    const check = event.target.closest("[data-check]");
    if (check) each(check.closest("form"), `input[name=${check.dataset.check}]`, (box) => { box.checked = check.dataset.state === "on"; });
    const button = event.target.closest("[data-row]");
    if (!button) return;
    event.preventDefault();
    const rows = button.closest("[data-rows]");
    if (button.dataset.row === "add") rows.querySelector("ol").append(rows.querySelector("template").content.cloneNode(true));
    else button.closest("li").remove();
    showRows(rows);
    const last = rows.querySelector("ol > li:last-child :is(select, input)");
    (button.dataset.row === "add" && last ? last : rows.querySelector("[data-row=add]")).focus();
  });

  // Relative times go on while a page stays open.
  const tick = () => each(document, "time[datetime]", (time) => {
    const distance = (Date.now() - Date.parse(time.dateTime)) / 1000;
    if (Number.isNaN(distance)) return;
    const far = duration(Math.abs(distance)).split(" ").slice(0, 2).join(" ");
    time.textContent = Math.abs(distance) < 5 ? "just now" : distance > 0 ? `${far} ago` : `in ${far}`;
  });
  setInterval(tick, 15000);

  // Help beside a term: on hover, focus and click, above everything and inside the window.
  let tip = null;
  const hideTip = () => { if (tip) tip.remove(); tip = null; };
  const showTip = (button) => {
    hideTip();
    tip = document.createElement("div");
    tip.className = "tip";
    tip.textContent = button.dataset.tip;
    document.body.append(tip);
    const place = button.getBoundingClientRect();
    const size = tip.getBoundingClientRect();
    const left = Math.min(Math.max(8, place.left + place.width / 2 - size.width / 2), innerWidth - size.width - 8);
    const above = place.top - size.height - 8;
    tip.style.setProperty("left", `${left}px`);
    tip.style.setProperty("top", `${above > 8 ? above : place.bottom + 8}px`);
  };
  document.addEventListener("pointerover", (event) => {
    const button = event.target.closest && event.target.closest("[data-tip]");
    if (button) showTip(button); else hideTip();
  });
  document.addEventListener("focusin", (event) => { if (event.target.matches("[data-tip]")) showTip(event.target); });
  document.addEventListener("focusout", hideTip);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hideTip();
    const typing = event.target.matches("input, textarea, select");
    if (event.key === "/" && !typing) {
      const search = document.querySelector("input[type=search]");
      if (search) { event.preventDefault(); search.focus(); }
    }
  });

  // A part that comes anew leaves the keyboard where it was, and a wide table where it was scrolled to.
  const STOPS = "a[href], button, input, select, textarea, summary, [tabindex]";
  const scrollers = (part) => [part, ...part.querySelectorAll(".table-wrap")];
  const held = new Map();  // by the part's id, for two parts may come at once
  document.addEventListener("htmx:beforeSwap", (event) => {
    const part = event.detail.target;
    const at = document.activeElement;
    held.set(part.id, {
      place: part.contains(at) ? [...part.querySelectorAll(STOPS)].indexOf(at) : -1,
      words: at.textContent,
      scrolled: scrollers(part).map((one) => one.scrollLeft),
    });
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    const part = event.target;
    const before = held.get(part.id);
    if (!held.delete(part.id)) return;
    scrollers(part).forEach((one, place) => { one.scrollLeft = before.scrolled[place] || 0; });
    const again = part.querySelectorAll(STOPS)[before.place];
    if (again && again.textContent === before.words && document.activeElement === document.body) again.focus({ preventScroll: true });
  });

  // A screen reader hears what changed, not every number.
  const announce = (words) => { document.getElementById("announce").textContent = words; };
  let said = "";
  document.addEventListener("htmx:afterSwap", () => {
    const live = document.querySelector("[data-announce]");
    if (live && live.dataset.announce !== said) {
      if (said) announce(live.dataset.announce);
      said = live.dataset.announce;
    }
    tick();
  });

  // A live page that lost the service says so, and goes on when it is back.
  const lost = () => { document.body.dataset.lost = ""; const note = document.getElementById("lost"); if (note) note.hidden = false; };
  const back = () => { const note = document.getElementById("lost"); if (note) note.hidden = true; };
  document.addEventListener("htmx:sendError", lost);
  document.addEventListener("htmx:responseError", lost);
  document.addEventListener("htmx:afterRequest", (event) => { if (event.detail.successful) back(); });
})();
