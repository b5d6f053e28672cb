import { t } from '../../pages/page/l10n';
import type { KeyLabel } from './contribution';

/** Keys whose label is a name, in lists of shortcuts. */
export const keyNames = {
  alt: { named: t.later({ message: 'Alt', comment: 'A key of the keyboard' }) },
  control: { named: t.later('Ctrl') },
  delete: { named: t.later('Del') },
  end: { named: t.later({ message: 'End', comment: 'A key of the keyboard' }) },
  enter: { named: t.later({ message: 'Enter', comment: 'A key of the keyboard' }) },
  home: { named: t.later({ message: 'Home', comment: 'A key of the keyboard' }) },
  pageDown: { named: t.later('Page Down') },
  pageUp: { named: t.later('Page Up') },
  shift: { named: t.later({ message: 'Shift', comment: 'A key of the keyboard' }) },
  space: { named: t.later({ message: 'Space', comment: 'A key of the keyboard' }) },
} as const satisfies Record<string, KeyLabel>;
