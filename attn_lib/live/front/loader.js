// Loads the scripts that only some pages need: a figure's computation and drawing, a trained model.
// They are classic scripts, because a browser loads no module into a page that was opened from a disk
// or stands in a sandboxed frame (attn_lib/live/host/bundle.py writes them).

const HERE = /** @type {HTMLScriptElement | null} */ (document.currentScript)?.src;

/** @type {Map<string, Promise<any>>} */
const requested = new Map();
/** @type {Map<string, any>} */
const registered = new Map();

/** Called by a script with what it brings. @param {string} name @param {any} exports */
export function register(name, exports) {
  registered.set(name, exports);
}

/**
 * Load a script once and return what it brings; after a failure, the next call tries again.
 * @param {string} name such as "figures/mask" @returns {Promise<any>}
 */
export function load(name) {
  if (!requested.has(name)) {
    const loading = new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = new URL(`${name}.js`, HERE).href;
      script.onload = () => resolve(registered.get(name));
      script.onerror = () => reject(new Error(`${script.src} could not be loaded`));
      document.head.append(script);
    });
    loading.catch(() => requested.delete(name));
    requested.set(name, loading);
  }
  return requested.get(name);
}
