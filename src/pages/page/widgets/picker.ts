import { element } from './element';

export interface PickerOptions {
  label: string;
  options: readonly (readonly [value: string, name: string])[];
  value: string;
  onChange: (value: string) => void;
}

/** A drop-down list. */
export function picker({ label, options, value, onChange }: PickerOptions): HTMLSelectElement {
  const select = element('select', { class: 'input', 'aria-label': label, title: label });
  for (const [each, name] of options)
    select.append(element('option', { value: each, selected: each === value }, name));
  select.addEventListener('change', () => onChange(select.value));
  return select;
}
