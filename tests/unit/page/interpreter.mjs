// Does in Node what the page's worker does: loads MicroPython with our files, and runs programs.
import { readFileSync } from "node:fs";

const print = console.log.bind(console);
const { worker, wasm, files, programs } = JSON.parse(readFileSync(0, "utf8"));
// The worker's text looks for a worker around it.
globalThis.process = undefined;
const posted = [];
Object.assign(globalThis, {
  WorkerGlobalScope: class {},
  self: globalThis,
  location: { href: "" },
  importScripts: () => {},
  postMessage: (message) => posted.push(message),
});
let listen;
globalThis.addEventListener = (_, handler) => (listen = handler);
await new Function(`return ${worker}`)();
// Each code has a Python of its own; what a figure asks a code comes one after the other.
let code;
for (const data of programs) {
  await listen({ data: data.given && data.code === code ? data : { wasm, files, ...data } });
  ({ code } = data);
}
print(JSON.stringify(posted));
