// What only some pages need comes in scripts of its own: a figure's twin and drawing, a trained model.
// They are classic scripts, because a browser loads no module into a page that was opened from a disk
// or stands in a sandboxed frame (attn_lib/explorer/bundle.py writes them).

const HERE = document.currentScript?.src;

/** @type {Map<string, Promise<any>>} */
const asked = new Map();
/** @type {Map<string, any>} */
const there = new Map();

/** Called by a script with what it brings. @param {string} name @param {any} part */
export function arrive(name, part) {
  there.set(name, part);
}

/**
 * Load a part once; what failed may work at the next try.
 * @param {string} name such as "figures/mask" @returns {Promise<any>}
 */
export function load(name) {
  if (!asked.has(name)) {
    const part = new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = new URL(`${name}.js`, HERE).href;
      script.onload = () => resolve(there.get(name));
      script.onerror = () => reject(new Error(`${script.src} could not be loaded`));
      document.head.append(script);
    });
    part.catch(() => asked.delete(name));
    asked.set(name, part);
  }
  return asked.get(name);
}
