import { setAttribute, type Attributes } from './element';

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
