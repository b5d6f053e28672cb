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
  created.append(...present(children));
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
  target.replaceChildren(...present(children));
}

/** A codicon. It is decoration, so screen readers ignore it. */
export function icon(name: string): HTMLElement {
  return element('i', { class: `codicon codicon-${name}`, 'aria-hidden': 'true' });
}

/** A button with only an icon. Its label is the tooltip and the text for screen readers. */
export function iconButton(
  name: string,
  label: string,
  onClick: (event: MouseEvent) => void,
): HTMLButtonElement {
  const button = element('button', { type: 'button', class: 'icon-button' }, icon(name));
  labelButton(button, label);
  button.addEventListener('click', onClick);
  return button;
}

/** Changes the label of an icon button and, if given, the icon. */
export function labelButton(button: HTMLElement, label: string, iconName?: string): void {
  button.setAttribute('aria-label', label);
  button.title = label;
  if (iconName) fill(button, icon(iconName));
}

function present(children: Child[]): (Node | string)[] {
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

/** Characters at the end that are never cut: an extension and the number before it. */
const END_LENGTH = 10;

/**
 * A name that is cut in its middle, as names of a plate's images differ at their end. Screen
 * readers read all of it.
 */
export function cutName(name: string): HTMLElement {
  const shown = element('span', { class: 'cut-parts', 'aria-hidden': 'true' });
  const { start, end } = cutParts(name);
  shown.append(element('span', { class: 'cut-start' }, start), element('span', { class: 'cut-end' }, end));
  return element('span', { class: 'cut-name' }, element('span', { class: 'visually-hidden' }, name), shown);
}

/** The start and the end of a name in `cutName`; the end is never cut. */
export function cutParts(name: string): { start: string; end: string } {
  const characters = Array.from(name);
  return { start: characters.slice(0, -END_LENGTH).join(''), end: characters.slice(-END_LENGTH).join('') };
}

/** Short messages for screen readers; repeated ones are announced again. */
export class LiveRegion {
  readonly root = element('div', { class: 'visually-hidden', role: 'status', 'aria-live': 'polite' });

  say(words: string): void {
    this.root.textContent = this.root.textContent === words ? `${words}\u00a0` : words;
  }
}
