import type { ButtonHTMLAttributes, TargetedMouseEvent } from 'preact';

/** A codicon that may spin. It is decoration, so screen readers ignore it. */
export function Icon({ name, spins = false }: { name: string; spins?: boolean }) {
  const motion = spins ? ' codicon-modifier-spin' : '';
  return <i class={`codicon codicon-${name}${motion}`} aria-hidden="true" />;
}

type ButtonAttributes = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'icon' | 'label' | 'class'>;

interface ButtonProps extends ButtonAttributes {
  /** Whether the button stands out among several. */
  primary?: boolean;
  class?: string;
}

export function Button({ primary = false, class: addedClass = '', ...attributes }: ButtonProps) {
  const classes = ['button', !primary && 'secondary', addedClass].filter(Boolean);
  return <button type="button" class={classes.join(' ')} {...attributes} />;
}

/** A button within a text that looks like a link. */
export function LinkButton(attributes: ButtonAttributes) {
  return <button type="button" class="link-button" {...attributes} />;
}

interface IconButtonProps extends ButtonAttributes {
  /** Name of a codicon; children replace it. */
  icon?: string;
  label: string;
  class?: string;
}

/** A button with only an icon. Its label is the tooltip and the text for screen readers. */
export function IconButton({
  icon = 'blank',
  label,
  class: addedClass,
  children,
  ...attributes
}: IconButtonProps) {
  const classes = addedClass ? `icon-button ${addedClass}` : 'icon-button';
  return (
    <button type="button" class={classes} aria-label={label} title={label} {...attributes}>
      {children ?? <Icon name={icon} />}
    </button>
  );
}

interface WordButtonProps {
  icon: string;
  label: string;
  hint?: string;
  disabled?: boolean;
  onClick: (event: TargetedMouseEvent<HTMLButtonElement>) => void;
}

/** A button whose text is hidden if there isn't room for it; then only its icon is visible. */
export function WordButton({ icon, label, hint = label, disabled, onClick }: WordButtonProps) {
  return (
    <Button class={`${icon}-button`} title={hint} aria-label={label} disabled={disabled} onClick={onClick}>
      <Icon name={icon} />
      <span class="button-words">{label}</span>
    </Button>
  );
}

interface PickerProps<Value extends string> {
  label: string;
  options: readonly (readonly [value: Value, words: string])[];
  value: Value;
  choose: (value: Value) => void;
}

/** A drop-down list. */
export function Picker<Value extends string>({ label, options, value, choose }: PickerProps<Value>) {
  return (
    <select
      class="input"
      aria-label={label}
      title={label}
      value={value}
      onChange={({ currentTarget }) => choose(currentTarget.value as Value)}
    >
      {options.map(([optionValue, words]) => (
        <option key={optionValue} value={optionValue}>
          {words}
        </option>
      ))}
    </select>
  );
}

/** Characters at the end that are never cut: an extension and the number before it. */
const END_LENGTH = 10;

/**
 * A name that is cut in its middle if it doesn't fit, as names of a plate's images differ at their
 * end. Screen readers read all of it.
 */
export function CutName({ name }: { name: string }) {
  const characters = Array.from(name);
  const start = characters.slice(0, -END_LENGTH).join('');
  const end = characters.slice(-END_LENGTH).join('');
  return (
    <span class="cut-name">
      <span class="visually-hidden">{name}</span>
      <span class="cut-parts" aria-hidden="true">
        <span class="cut-start">{start}</span>
        <span class="cut-end">{end}</span>
      </span>
    </span>
  );
}

/** A lasso, which codicons lack: a loop with its rope, in the size and color of a codicon. */
export function LassoIcon() {
  const line = { fill: 'none', stroke: 'currentColor', 'stroke-linecap': 'round' } as const;
  return (
    <svg class="drawn-icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <ellipse {...line} cx="8.5" cy="5.5" rx="6" ry="4" />
      <circle {...line} cx="4.5" cy="9.5" r="1.5" />
      <path {...line} d="M4.5 11c.4 1.6-.2 2.7-1.7 3.5" />
    </svg>
  );
}
