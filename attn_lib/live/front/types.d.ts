// For the type check alone (`make lint`): a selector without a tag name finds an element of HTML, or of the kind that a
// variable is declared to be.

interface ParentNode {
  querySelector<K extends keyof HTMLElementTagNameMap>(selectors: K): HTMLElementTagNameMap[K] | null;
  querySelector<E extends Element = HTMLElement>(selectors: string): E | null;
  querySelectorAll<K extends keyof HTMLElementTagNameMap>(selectors: K): NodeListOf<HTMLElementTagNameMap[K]>;
  querySelectorAll<E extends Element = HTMLElement>(selectors: string): NodeListOf<E>;
}

interface Element {
  closest<K extends keyof HTMLElementTagNameMap>(selectors: K): HTMLElementTagNameMap[K] | null;
  closest<E extends Element = HTMLElement>(selectors: string): E | null;
}

// What the scripts of an exercise share (book/_static/judge.js); they come one after the other.
// deno-lint-ignore no-explicit-any no-var
declare var attnJudge: any;

// The steps of a lesson (book/_ext/content/lessons.py), for book/_static/deck.js.
// deno-lint-ignore no-explicit-any no-var
declare var attnLesson: any;
