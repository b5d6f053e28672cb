import { classColor, toHex } from '../../../base/colors';
import { t } from '../l10n';
import { Button } from './parts';
import { openPopover } from './popover';

/**
 * Colors that are distinct with any color vision; also the default colors of classes and groups.
 */
const PALETTE = Array.from({ length: 8 }, (_, index) => toHex(classColor(index)));

interface ColorChoice {
  anchor: Element;
  label: string;
  /** #rrggbb; undefined for the default color. */
  chosen: string | undefined;
  /** Called with a color; undefined for the default one. */
  choose: (color: string | undefined) => void;
}

/** Lets the user choose a color: from the palette, or any other. */
export function chooseColor({ anchor, label, chosen, choose }: ColorChoice): void {
  openPopover({
    anchor,
    label,
    view: close => {
      const chooseAndClose = (color: string | undefined) => {
        choose(color);
        close();
      };
      return (
        <div class="color-choice">
          {PALETTE.map((color, index) => (
            <button
              key={color}
              type="button"
              class="color-choice-swatch"
              aria-label={`${label}: ${color}`}
              title={color}
              aria-pressed={chosen === color}
              autofocus={chosen === color || (chosen === undefined && index === 0)}
              onClick={() => chooseAndClose(color)}
            >
              <span style={{ background: color }} />
            </button>
          ))}
          <input
            type="color"
            aria-label={t('Other color')}
            title={t('Other color')}
            value={chosen ?? PALETTE[0]}
            onChange={({ currentTarget }) => chooseAndClose(currentTarget.value)}
          />
          <Button disabled={chosen === undefined} onClick={() => chooseAndClose(undefined)}>
            {t({ message: 'Reset', comment: 'Verb' })}
          </Button>
        </div>
      );
    },
  });
}
