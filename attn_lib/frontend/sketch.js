// A drawing that is made up anew at every move, of as many nodes as it happens to need: it is sketched first, and the
// page gets what differs from the sketch before. Nodes made anew would all be styled and laid out.

import { draw, put } from "./svg.js";
import { say } from "./text.js";

/** @typedef {{ name: string, attributes: Record<string, any>, text?: string, children: Sketch[] }} Sketch */

/**
 * Sketch a node, as `draw` makes one.
 * @param {Sketch | null} parent @param {string} name @param {Record<string, string | number>} [attributes]
 * @param {string} [text] before what the node contains; a node of its name in this place always has one, or never
 * @returns {Sketch}
 */
export function sketch(parent, name, attributes = {}, text) {
  const made = { name, attributes, text, children: [] };
  parent?.children.push(made);
  return made;
}

/**
 * Draw all that a sketch contains into a node that has what the sketch before contained.
 * @param {Element} node @param {Sketch | null} before null: the node is empty @param {Sketch} after
 */
export function redraw(node, before, after) {
  const nodes = [...node.children];
  const were = before?.children ?? [];
  after.children.forEach((child, i) => {
    let [was, own] = [were[i] ?? null, nodes[i]];
    if (was?.name !== child.name) {
      const made = draw(null, child.name);
      if (own) own.replaceWith(made);
      else node.append(made);
      [was, own] = [null, made];
    }
    const gone = Object.keys(was?.attributes ?? {}).filter((name) => !(name in child.attributes));
    for (const name of gone) own.removeAttribute(name);
    const news = Object.entries(child.attributes).filter(([name, value]) => was?.attributes[name] !== value);
    put(own, Object.fromEntries(news));
    if (child.text !== was?.text) say(own, child.text ?? "");
    redraw(own, was, child);
  });
  for (const rest of nodes.slice(after.children.length)) rest.remove();
}
