/**
 * The worker that runs a reader's code: MicroPython, written before this text, and our files, which come with the first
 * message. Each message is a call: to judge the code, or to let it weigh what is given. It posts that it is ready, what is
 * printed, and what was found.
 */
let python;
let characters = 0;
addEventListener("message", async ({ data }) => {
  const { wasm, files, module, judge, wanted, code, given, seed } = data;
  const MOST = 4000; // characters; what is printed beyond them is lost
  const stdout = (/** @type {string} */ line) => {
    if (characters < MOST) postMessage({ printed: `${line}\n` });
    characters += line.length + 1;
  };
  try {
    if (wasm) {
      const wasmBinary = Uint8Array.from(atob(wasm), (letter) => letter.charCodeAt(0));
      // @ts-ignore: defined by the text before this one
      python = await loadMicroPython({ wasmBinary, url: "micropython.wasm", heapsize: 8 << 20, pystack: 1 << 16, stdout });
      for (const [path, text] of Object.entries(files)) {
        const folders = path.split("/").slice(1, -1);
        folders.forEach((_, i) => {
          const folder = `/${folders.slice(0, i + 1).join("/")}`;
          if (!python.FS.analyzePath(folder).exists) python.FS.mkdir(folder);
        });
        python.FS.writeFile(path, text);
      }
      python.runPython(`import sys; sys.path[:] = ["/"]`);
      python.runPython(`from attn_lib.page.run import run, weigh; from ${module} import ${judge} as judge`);
    }
    characters = 0;
    postMessage({ ready: true });
    for (const [name, value] of Object.entries({ code, wanted, given, seed })) python.globals.set(name, value);
    python.runPython(`found = ${given ? "weigh(code, wanted, given)" : "run(code, wanted, lambda answer: judge(answer, seed))"}`);
    postMessage({ found: python.globals.get("found") });
  } catch (error) {
    postMessage({ failed: String(error) });
  }
});
