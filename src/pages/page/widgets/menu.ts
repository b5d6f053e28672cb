import { element, icon } from './element';
import { openPopover } from './popover';

export interface MenuItem {
  label: string;
  /** Set for an item that is one of several options. */
  checked?: boolean;
  disabled?: boolean;
  /** A line above the item. */
  startsGroup?: boolean;
  run: () => void;
}

/** Opens a menu below its button; arrows, Home and End move in it, Enter selects. */
export function openMenu(anchor: Element, label: string, items: readonly MenuItem[]): void {
  const buttons = items.map(({ label: words, checked, disabled, startsGroup }) =>
    element(
      'button',
      {
        type: 'button',
        class: startsGroup ? 'menu-item starts-group' : 'menu-item',
        role: checked === undefined ? 'menuitem' : 'menuitemradio',
        'aria-checked': checked === undefined ? undefined : String(checked),
        disabled,
        tabindex: -1,
      },
      element('span', { class: 'menu-check' }, checked && icon('check')),
      element('span', {}, words),
    ),
  );
  const popover = openPopover({ anchor, label, role: 'menu', className: 'menu', content: buttons });
  buttons.forEach((button, at) =>
    button.addEventListener('click', () => {
      popover.close();
      items[at]?.run();
    }),
  );
  const usable = buttons.filter(button => !button.disabled);
  const go = (at: number) => usable[(at + usable.length) % usable.length]?.focus();
  popover.root.addEventListener('keydown', event => {
    const at = usable.findIndex(button => button === document.activeElement);
    if (event.key === 'ArrowDown') go(at + 1);
    else if (event.key === 'ArrowUp') go(at < 0 ? -1 : at - 1);
    else if (event.key === 'Home') go(0);
    else if (event.key === 'End') go(-1);
    else return;
    event.preventDefault();
  });
  go(0);
}
