// A small virtual DOM, for a drawing that has other nodes after every move: the drawing is described by a tree of plain
// objects, and only what differs from the tree before is changed in the page. Real nodes made anew would all have to be
// styled and laid out again.

import { draw, setAttributes } from "./svg.js";
import { setText } from "./text.js";

/** @typedef {{ name: string, attributes: Record<string, any>, text?: string, children: VNode[] }} VNode */

/**
 * Describe a node, as `draw` makes one.
 * @param {VNode | null} parent @param {string} name @param {Record<string, string | number>} [attributes]
 * @param {string} [text] comes before the children; of the nodes with one name at one place, all have a text or none has
 * @returns {VNode}
 */
export function vnode(parent, name, attributes = {}, text) {
  const made = { name, attributes, text, children: [] };
  parent?.children.push(made);
  return made;
}

/**
 * Change the children of a real node from what one tree describes to what the next one does.
 * @param {Element} node @param {VNode | null} before null: the node is empty @param {VNode} after
 */
export function patch(node, before, after) {
  const nodes = [...node.children];
  after.children.forEach((child, i) => {
    let [old, real] = [before?.children[i] ?? null, nodes[i]];
    if (old?.name !== child.name) {
      const made = draw(null, child.name);
      if (real) real.replaceWith(made);
      else node.append(made);
      [old, real] = [null, made];
    }
    const removed = Object.keys(old?.attributes ?? {}).filter((name) => !(name in child.attributes));
    for (const name of removed) real.removeAttribute(name);
    const changed = Object.entries(child.attributes).filter(([name, value]) => old?.attributes[name] !== value);
    setAttributes(real, Object.fromEntries(changed));
    if (child.text !== old?.text) setText(real, child.text ?? "");
    patch(real, old, child);
  });
  for (const surplus of nodes.slice(after.children.length)) surplus.remove();
}
