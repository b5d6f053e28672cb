import { element } from './element';

/** Characters that stay at the end: an extension and the number before it. */
const KEPT = 10;

/**
 * A name that loses its middle where it has no room: images of a plate differ at the end of their names. Screen readers read
 * it whole, not as the two parts that are shown.
 */
export function cutName(name: string): HTMLElement {
  const characters = Array.from(name);
  const shown = element('span', { class: 'cut-parts', 'aria-hidden': 'true' });
  shown.append(
    element('span', { class: 'cut-start' }, characters.slice(0, -KEPT).join('')),
    element('span', { class: 'cut-end' }, characters.slice(-KEPT).join('')),
  );
  return element('span', { class: 'cut-name' }, element('span', { class: 'visually-hidden' }, name), shown);
}
