/**
 * Copying: a button on each program, and formulas as the TeX they were written in. A classic
 * script, so that it runs on pages opened from a disk as well.
 */
(() => {
  const words = document.body.dataset;

  /** Write to the clipboard, also where the modern way is refused (pages without HTTPS). */
  async function write(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      const done = document.execCommand("copy");
      area.remove();
      return done;
    }
  }

  for (const program of document.querySelectorAll("div.highlight > pre")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "attn-program-copy";
    button.title = words.copy;
    button.setAttribute("aria-label", words.copy);
    button.addEventListener("click", async () => {
      const copied = await write(program.textContent.replace(/\n$/, ""));
      button.dataset.done = copied ? words.copied : words.copyFailed;
      button.setAttribute("aria-label", button.dataset.done);
      setTimeout(() => {
        delete button.dataset.done;
        button.setAttribute("aria-label", words.copy);
      }, 2000);
    });
    program.parentElement.append(button);
  }

  const formula = (node) => (node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement)?.closest("math");

  document.addEventListener("copy", (event) => {
    const selection = getSelection();
    if (!selection.rangeCount || selection.isCollapsed) return;
    const range = selection.getRangeAt(0).cloneRange();
    const [first, last] = [formula(range.startContainer), formula(range.endContainer)];
    if (first) range.setStartBefore(first);
    if (last) range.setEndAfter(last);
    const part = document.createElement("div");
    part.append(range.cloneContents());
    const formulas = [...part.querySelectorAll("math")];
    if (!formulas.length) return;
    const html = part.innerHTML; // for programs that understand MathML
    for (const math of formulas) {
      const tex = math.querySelector("annotation").textContent;
      math.replaceWith(math.getAttribute("display") === "block" ? `$$\n${tex}\n$$` : `$${tex}$`);
    }
    // Laid out once, unseen: its text then has the line breaks that a reader saw.
    part.className = "attn-unseen";
    document.body.append(part);
    event.clipboardData.setData("text/plain", part.innerText);
    event.clipboardData.setData("text/html", html);
    part.remove();
    event.preventDefault();
  });
})();
