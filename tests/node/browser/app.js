const routes = [{ path: "/" }, { path: "/login" }, { path: "/notes" }, { path: "hidden" }, { path: "/logout" }];
const app = document.getElementById("app");
const api = (path, method, body) => fetch("/api" + path, {
  method: method || "GET", body: body && JSON.stringify(body),
  headers: { "Content-Type": "application/json", "X-Client": "notes-1", ...(localStorage.token ? { Authorization: "Bearer " + localStorage.token } : {}) },
});
const at = (id) => document.getElementById(id);
const pages = {
  "/": () => {
    app.innerHTML = `<nav><a href="#/login">Sign in</a><button id=more>More</button></nav><input id=q placeholder=Search>`;
    at("more").addEventListener("click", () => { app.insertAdjacentHTML("beforeend", "<div role=dialog><button id=deep>Count</button></div>"); at("deep").addEventListener("click", () => api("/count")); });
    at("q").addEventListener("keyup", (event) => { if (event.key === "Enter") api("/search?q=" + at("q").value); });
  },
  "/login": () => {
    app.innerHTML = `<form><input name=username><input type=password name=password><button>Go</button></form>`;
    app.firstChild.addEventListener("submit", async (event) => {
      event.preventDefault();
      const answer = await api("/login", "POST", { username: app.querySelector("[name=username]").value, password: app.querySelector("[type=password]").value });
      if (answer.ok) { localStorage.token = (await answer.json()).token; document.cookie = "seen=1"; location.hash = "#/notes"; }
    });
  },
  "/notes": async () => {
    if (!localStorage.token) { location.hash = "#/login"; return; }
    const notes = await (await api("/notes")).json();
    app.innerHTML = notes.map((each) => `<li>${each.text} <button data-id=${each.id}>Remove</button>`).join("") + `<form><label>Text <textarea></textarea></label><select><option value="">-<option value=green>Green</select><button>Add</button></form>`;
    app.querySelector("form").onsubmit = (event) => { event.preventDefault(); api("/notes", "POST", { text: app.querySelector("textarea").value, colour: app.querySelector("select").value }); };
    for (const each of app.querySelectorAll("[data-id]")) each.addEventListener("click", () => confirm("Sure?") && api("/notes/" + each.dataset.id, "DELETE"));
  },
  "/hidden": () => { app.textContent = "Nobody leads here"; api("/hidden"); },
  "/logout": () => { api("/sessions/end", "POST", {}); },
};
const show = () => (pages[location.hash.slice(1) || "/"] || pages["/"])();
addEventListener("hashchange", show);
fetch("http://elsewhere.example/collect").catch(() => {});
show();
