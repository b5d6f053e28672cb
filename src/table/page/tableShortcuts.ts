import type { TableTextKey } from '../../pages/tableTexts';
import type { TableText } from '../../pages/page/pageText';
import type { Shortcut } from '../../pages/page/widgets/shortcutsDialog';

/** What is written on a key: a character, or its name. */
type KeyLabel = { named: TableTextKey } | string;

const control: KeyLabel = { named: 'keyControl' };
const shift: KeyLabel = { named: 'keyShift' };
const alt: KeyLabel = { named: 'keyAlt' };
const enter: KeyLabel = { named: 'keyEnter' };

/** Each combination of keys, and what it does. */
const shortcuts: readonly { keys: readonly (readonly KeyLabel[])[]; does: TableTextKey }[] = [
  { keys: [['←'], ['→'], ['↑'], ['↓']], does: 'shortcutMoveCell' },
  { keys: [[shift, '↓']], does: 'shortcutExtend' },
  {
    keys: [
      [control, { named: 'keyHome' }],
      [control, { named: 'keyEnd' }],
    ],
    does: 'shortcutEnds',
  },
  { keys: [[control, 'A']], does: 'shortcutSelectAll' },
  { keys: [[control, 'C']], does: 'shortcutCopy' },
  { keys: [[control, 'Z']], does: 'shortcutUndo' },
  {
    keys: [
      [control, shift, 'Z'],
      [control, 'Y'],
    ],
    does: 'shortcutRedo',
  },
  { keys: [[enter]], does: 'shortcutOpenCell' },
  { keys: [[shift, 'F10']], does: 'shortcutMenu' },
  { keys: [[control, 'F']], does: 'shortcutFind' },
  { keys: [['↑']], does: 'shortcutHeader' },
  { keys: [[enter], [shift, enter]], does: 'shortcutSort' },
  { keys: [[alt, '↓']], does: 'shortcutFilter' },
  { keys: [['←'], ['→'], ['↑'], ['↓']], does: 'shortcutPlotMove' },
  { keys: [[enter]], does: 'shortcutPlotAct' },
  { keys: [['+'], ['−'], ['0']], does: 'shortcutPlotZoom' },
  {
    keys: [
      [shift, '←'],
      [shift, '→'],
      [shift, '↑'],
      [shift, '↓'],
    ],
    does: 'shortcutPlotPan',
  },
  { keys: [['?']], does: 'shortcutList' },
];

/** The shortcuts of the table page, in words; keys held together are joined by "+". */
export function tableShortcuts(text: TableText): Shortcut[] {
  const label = (key: KeyLabel) => (typeof key === 'string' ? key : text.get(key.named));
  return shortcuts.map(({ keys, does }) => ({
    keys: keys.map(combined => combined.map(label).join('+')),
    does: text.get(does),
  }));
}
