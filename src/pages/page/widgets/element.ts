type Attributes = Record<string, string | number | boolean | undefined>;
export type Child = Node | string | null | undefined | false;

/**
 * Makes an element. True sets an attribute without a value; false and undefined leave it out. Set
 * styles by element.style only: the page's policy forbids style attributes in markup.
 */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) setAttribute(made, name, value);
  made.append(...present(children));
  return made;
}

/** Sets an attribute, or removes it for false and undefined. */
export function setAttribute(
  target: Element,
  name: string,
  value: string | number | boolean | undefined,
): void {
  if (value === undefined || value === false) target.removeAttribute(name);
  else target.setAttribute(name, value === true ? '' : String(value));
}

/** Replaces what an element holds. */
export function fill(target: Element, ...children: Child[]): void {
  target.replaceChildren(...present(children));
}

/** A codicon; decoration only, so hidden from screen readers. */
export function icon(name: string): HTMLElement {
  return element('i', { class: `codicon codicon-${name}`, 'aria-hidden': 'true' });
}

function present(children: Child[]): (Node | string)[] {
  return children.filter(
    (child): child is Node | string =>
      child !== null && child !== undefined && child !== false && child !== '',
  );
}

const NAMESPACE = 'http://www.w3.org/2000/svg';

/** Makes an SVG element; see element(). */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): SVGElementTagNameMap[K] {
  const made = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) setAttribute(made, name, value);
  made.append(...children);
  return made;
}
