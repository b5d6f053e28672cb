type Attributes = Record<string, string | number | boolean | undefined>;
export type Child = Node | string | null | undefined | false;

/**
 * Creates an element. `true` sets an attribute without a value; `false` and undefined omit it. Set
 * styles with `element.style` only: the page's policy forbids style attributes.
 */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const created = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) setAttribute(created, name, value);
  created.append(...withoutEmpty(children));
  return created;
}

/** Sets an attribute; `false` and undefined remove it. */
export function setAttribute(
  target: Element,
  name: string,
  value: string | number | boolean | undefined,
): void {
  if (value === undefined || value === false) target.removeAttribute(name);
  else target.setAttribute(name, value === true ? '' : String(value));
}

/** Replaces the content of an element. */
export function fill(target: Element, ...children: Child[]): void {
  target.replaceChildren(...withoutEmpty(children));
}

/** A codicon. It is decoration, so screen readers ignore it. */
export function icon(name: string): HTMLElement {
  return element('i', { class: `codicon codicon-${name}`, 'aria-hidden': 'true' });
}

function withoutEmpty(children: Child[]): (Node | string)[] {
  return children.filter(
    (child): child is Node | string =>
      child !== null && child !== undefined && child !== false && child !== '',
  );
}

const NAMESPACE = 'http://www.w3.org/2000/svg';

/** Creates an SVG element; see element(). */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): SVGElementTagNameMap[K] {
  const created = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) setAttribute(created, name, value);
  created.append(...children);
  return created;
}
