// Collects, in each frame, texts that are cut at the window, at the drawing or at a box that hides what
// overflows it, that leave the cell or tile they are in, and pairs of texts that lie over each other.
const SLACK = 1.5; // px: a box of text is taller than its letters, and layout rounds

function texts(document) {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.data.trim() || node.parentElement.closest("script, style, title, desc")) continue;
    if (getComputedStyle(node.parentElement).opacity === "0") continue; // labels that an axis leaves out
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects())
      if (box.width > 0.5 && box.height > 0.5) found.push({ node, box, text: node.data.trim().slice(0, 60) });
  }
  return found;
}

function holder(element) {
  const drawing = element.closest("svg");
  return drawing || element.closest("td, th, .tile, li, dd, dt, p, h1, h2, h3, figcaption, pre, div, section, body");
}

function cut({ node, box }, window) {
  if (box.left < -SLACK || box.right > window.innerWidth + SLACK) return "is cut by the window";
  const around = holder(node.parentElement).getBoundingClientRect();
  if (box.left < around.left - SLACK || box.right > around.right + SLACK) return "leaves its box";
  const drawn = node.parentElement.closest("svg");
  if (drawn && (box.top < around.top - SLACK || box.bottom > around.bottom + SLACK)) return "leaves its drawing";
  return null;
}

function slanted({ node }) {
  const turned = node.parentElement.getScreenCTM?.();
  return Boolean(turned && turned.a && turned.b); // its box is not that of its letters
}

function overlaps(a, b) {
  if (slanted(a) || slanted(b)) return false;
  if (a.node === b.node || a.text === b.text) return false; // a halo is its text again, broader
  const across = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
  const down = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
  return across > SLACK && down > 0.3 * Math.min(a.box.height, b.box.height);
}

function inspect(frame) {
  const window = frame.contentWindow;
  for (const folded of window.document.querySelectorAll("details")) folded.open = true;
  const all = texts(window.document);
  const found = [];
  const report = (what, text) => found.push({ page: frame.name, frame: frame.title, what, text });
  for (const text of all) {
    const wrong = cut(text, window);
    if (wrong) report(wrong, text.text);
  }
  all.sort((a, b) => a.box.top - b.box.top);
  all.forEach((a, at) => {
    for (const b of all.slice(at + 1)) {
      if (b.box.top >= a.box.bottom) break;
      if (overlaps(a, b)) report("overlaps", `${a.text} | ${b.text}`);
    }
  });
  return found;
}

addEventListener("load", async () => {
  const found = [];
  for (const frame of document.querySelectorAll("iframe")) {
    await Promise.all([...frame.contentDocument.fonts].map((face) => face.load()));
    found.push(...inspect(frame));
  }
  document.body.dataset.faults = JSON.stringify(found);
});
