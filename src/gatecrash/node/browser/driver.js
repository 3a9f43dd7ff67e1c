// Runs in every document before its own scripts. Tells what can be done there, and does what it is told; what is done is decided elsewhere.
(() => {
  "use strict";
  if (window.__gatecrash) return;
  const MOST = 400, LONGEST = 80, DEPTH = 5;
  const clicked = new WeakSet();
  const opened = [];
  const add = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (type, ...rest) {
    if (type === "click" && this instanceof Element && this !== document.body) clicked.add(this);
    return add.call(this, type, ...rest);
  };
  // A window more would be a page that nobody looks after.
  window.open = (address) => { opened.push(new URL(address, location.href).href); return null; };
  window.print = () => {};

  const CANDIDATES = "a,button,summary,input,select,[onclick],[role],[tabindex],li,td,div,span,img,label";
  const ROLES = new Set(["button", "tab", "menuitem", "option", "link", "switch", "treeitem"]);
  const BUTTONS = new Set(["submit", "button", "image"]);
  const TOP = "dialog[open],[role=dialog],[role=alertdialog],[aria-modal=true],.modal.show,.cdk-overlay-container";
  const FRAME = "header,nav,aside,footer,[role=navigation],[role=banner],[role=menu]";
  const FIELDS = "input:not([type=hidden]):not([type=submit]):not([type=button]):not([type=image]):not([type=reset]),textarea,select";
  let listed = [];

  const isShown = (element) => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && getComputedStyle(element).visibility !== "hidden";
  };
  const isOff = (element) => element.disabled || element.getAttribute("aria-disabled") === "true";
  // React keeps what an element does among its properties, and listens at the root alone.
  const isOfReact = (element) =>
    Object.keys(element).some((name) => name.startsWith("__reactProps$") && typeof element[name]?.onClick === "function");
  const textOf = (element) =>
    (element.innerText || element.value || element.getAttribute("aria-label") || element.title || element.alt || "")
      .trim().replace(/\s+/g, " ").slice(0, LONGEST);
  const shapeOf = (element) => {
    const parts = [];
    for (let each = element; each && each !== document.body && parts.length < DEPTH; each = each.parentElement) {
      parts.push(each.localName + "." + [...each.classList].slice(0, 2).join("."));
    }
    return parts.join("<");
  };
  const kindOf = (element) => {
    const name = element.localName, type = (element.type || "").toLowerCase();
    if (name === "a") return element.hasAttribute("href") && !/^(#|javascript:|$)/i.test(element.getAttribute("href")) ? "" : "click";
    if (name === "button") return type === "submit" && element.form ? "submit" : "click";
    if (name === "input") return BUTTONS.has(type) ? (type === "button" ? "click" : "submit") : "";
    if (name === "summary" || ROLES.has(element.getAttribute("role")) || element.hasAttribute("onclick")) return "click";
    return clicked.has(element) || isOfReact(element) ? "click" : "";
  };
  const isTyped = (element) => element.localName === "input" && /^(|text|search|email|number)$/.test(element.type || "");

  const wordsOf = (field) => {
    const before = field.previousElementSibling || field.parentElement.previousElementSibling || field.parentElement;
    const label = (field.labels && field.labels[0] ? field.labels[0] : before).innerText.slice(0, LONGEST);
    const of = (name) => field.getAttribute(name) || "";
    return [of("autocomplete"), of("name"), field.id, of("formcontrolname"), of("aria-label"), of("placeholder"), label, of("ng-model"), of("v-model")]
      .join(" ").slice(0, 300);
  };
  const write = (field, value) => {
    const owner = field.localName === "textarea" ? HTMLTextAreaElement : field.localName === "select" ? HTMLSelectElement : HTMLInputElement;
    // A framework that watches the element's own setter takes what is written by it for its own.
    Object.getOwnPropertyDescriptor(owner.prototype, "value").set.call(field, value);
    for (const name of ["input", "change", "blur"]) field.dispatchEvent(new Event(name, { bubbles: name !== "blur" }));
  };
  const PICTURE = Uint8Array.from(atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="), (each) => each.charCodeAt(0));
  const FILES = [
    [/image|png|jpe?g|avatar|photo|picture|logo/i, () => new File([PICTURE], "picture.png", { type: "image/png" })],
    [/json/i, () => new File(['{"name":"tea"}'], "note.json", { type: "application/json" })],
    [/xml/i, () => new File(["<note><name>tea</name></note>"], "note.xml", { type: "application/xml" })],
    [/csv/i, () => new File(["name\ntea\n"], "note.csv", { type: "text/csv" })],
    [/(?:)/, () => new File(["tea"], "note.txt", { type: "text/plain" })],
  ];
  const give = (field) => {
    const said = field.accept || wordsOf(field), given = new DataTransfer();
    given.items.add(FILES.find(([pattern]) => pattern.test(said))[1]());
    field.files = given.files;
    field.dispatchEvent(new Event("change", { bubbles: true }));
  };

  window.__gatecrash = {
    links() {
      const found = [...document.querySelectorAll("a[href],area[href]")].map((each) => each.href);
      return [...new Set([...found, ...opened.splice(0)])].slice(0, MOST);
    },
    fields() {
      listed = [...document.querySelectorAll(FIELDS)].filter((each) => isShown(each) && !isOff(each) && !each.readOnly).slice(0, MOST);
      return listed.map((each, at) => ({
        at, words: wordsOf(each), type: each.localName === "input" ? each.type : each.localName,
        value: each.type === "file" ? (each.files.length ? "1" : "") : each.type === "checkbox" || each.type === "radio" ? (each.checked ? "1" : "") : each.value,
        group: each.type === "radio" ? each.name : "", least: each.min || "", most: each.max || "",
        choices: each.localName === "select" ? [...each.options].map((one) => one.value).slice(0, 30) : [],
      }));
    },
    fill(at, value) {
      const field = listed[at];
      if (field.type === "file") give(field);
      else if (field.type === "checkbox" || field.type === "radio") field.click();
      else write(field, value);
    },
    controls() {
      const found = [], onTop = [...document.querySelectorAll(TOP)].filter(isShown);
      for (const element of document.querySelectorAll(CANDIDATES)) {
        const typed = isTyped(element) && (!element.form || !element.form.querySelector("button,input[type=submit],input[type=image]"));
        const kind = typed && element.value ? "enter" : kindOf(element);
        if (!kind || isOff(element) || !isShown(element)) continue;
        found.push({ element, kind, text: kind === "enter" ? wordsOf(element) : textOf(element), shape: shapeOf(element),
          top: onTop.some((each) => each.contains(element)), frame: element.closest(FRAME) !== null });
        if (found.length >= MOST) break;
      }
      listed = found.map((each) => each.element);
      return found.map(({ element, ...told }, at) => ({ at, ...told }));
    },
    act(at, kind) {
      const element = listed[at];
      if (kind !== "enter") { element.click(); return; }
      for (const type of ["keydown", "keypress", "keyup"]) {
        const event = new KeyboardEvent(type, { key: "Enter", code: "Enter", bubbles: true, cancelable: true });
        for (const name of ["keyCode", "which"]) Object.defineProperty(event, name, { value: 13 });
        element.dispatchEvent(event);
      }
      if (element.form) element.form.requestSubmit();
    },
    run(names) {
      const links = [...document.querySelectorAll("a[href]")].filter((each) => each.protocol === "javascript:");
      const ours = links.filter((each) => names.some((name) => each.href.includes(name))).slice(0, MOST);
      for (const each of ours) each.click();
      return ours.length > 0;
    },
  };
})();
