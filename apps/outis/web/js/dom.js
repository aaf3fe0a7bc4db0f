// A small virtual tree: screens are functions from state to nodes, and `patch` updates the document to match. Text reaches the document as
// text nodes only; there is no way here to insert markup, and no inline style or script.

const SVG = 'http://www.w3.org/2000/svg';

/** A node. Tags that begin with `svg:` are SVG elements. `key` keeps a node's identity among its siblings. */
export function h(tag, props, ...children) {
  const { key, ...rest } = props || {};
  return { tag, key, props: rest, children: flat(children) };
}

function flat(children) {
  const out = [];
  for (const child of children) {
    if (child === null || child === undefined || child === false || child === true) continue;
    if (Array.isArray(child)) out.push(...flat(child));
    else out.push(typeof child === 'object' ? child : String(child));
  }
  return out;
}

/** Updates the children of `parent` to match `children`. */
export function patch(parent, children) {
  const nodes = flat([children]);
  const keyed = new Map();
  for (const node of parent.childNodes) if (node.vkey !== undefined) keyed.set(node.vkey, node);
  let at = parent.firstChild;
  for (const wanted of nodes) {
    let node = null;
    if (typeof wanted === 'string') {
      if (at && at.nodeType === Node.TEXT_NODE) node = at;
    } else if (wanted.key !== undefined) {
      const known = keyed.get(wanted.key);
      if (known && known.vtag === wanted.tag) node = known;
    } else if (at && at.vtag === wanted.tag && at.vkey === undefined) {
      node = at;
    }
    if (!node) {
      node = create(wanted);
      parent.insertBefore(node, at);
    } else {
      if (node === at) at = at.nextSibling;
      else parent.insertBefore(node, at);
      update(node, wanted);
    }
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

function create(wanted) {
  if (typeof wanted === 'string') return document.createTextNode(wanted);
  const drawn = wanted.tag.startsWith('svg:');
  const node = drawn ? document.createElementNS(SVG, wanted.tag.slice(4)) : document.createElement(wanted.tag);
  node.vtag = wanted.tag;
  node.vkey = wanted.key;
  node.vprops = {};
  update(node, wanted);
  if (wanted.props.made) wanted.props.made(node);
  return node;
}

function update(node, wanted) {
  if (typeof wanted === 'string') {
    if (node.data !== wanted) node.data = wanted;
    return;
  }
  const before = node.vprops;
  const after = wanted.props;
  for (const name of Object.keys(before)) if (!(name in after)) set(node, name, undefined);
  for (const [name, value] of Object.entries(after)) if (before[name] !== value || name === 'value' || name === 'checked') set(node, name, value);
  node.vprops = after;
  if (!after.opaque) patch(node, wanted.children);
  if (after.value !== undefined && node.tagName === 'SELECT') node.value = after.value;
}

const PROPERTIES = new Set(['value', 'checked', 'disabled', 'open', 'hidden', 'indeterminate', 'selected']);
const OURS = new Set(['made', 'opaque']);

function set(node, name, value) {
  if (OURS.has(name)) return;
  if (name.startsWith('on')) {
    node[name.toLowerCase()] = value || null;
  } else if (name === 'style') {
    const known = node.vstyle || {};
    for (const property of Object.keys(known)) if (!value || !(property in value)) node.style.removeProperty(property);
    for (const [property, to] of Object.entries(value || {})) node.style.setProperty(property, to);
    node.vstyle = value || {};
  } else if (PROPERTIES.has(name)) {
    if (name === 'value' ? node.value !== String(value ?? '') : node[name] !== Boolean(value)) {
      node[name] = name === 'value' ? value ?? '' : Boolean(value);
    }
  } else if (value === undefined || value === null || value === false) {
    node.removeAttribute(name);
  } else {
    node.setAttribute(name, value === true ? '' : String(value));
  }
}

/** A line drawing on a 24 by 24 grid. */
export const drawing = (d, props) =>
  h('svg:svg', { class: 'icon-drawing', viewBox: '0 0 24 24', 'aria-hidden': 'true', focusable: 'false', ...props }, h('svg:path', { d }));
