import type { ComponentChildren } from 'preact';
import { Icon } from '../../../pages/page/widgets/parts';
import type { MasksStore } from '../state/masksStore';

export interface InspectorProps {
  store: MasksStore;
}

interface SectionProps {
  title: string;
  class?: string;
  hidden?: boolean;
  /** Visible heading in place of the title. */
  heading?: ComponentChildren;
  children: ComponentChildren;
}

/** A section of the inspector with its heading. */
export function Section({
  title,
  class: className,
  hidden = false,
  heading = title,
  children,
}: SectionProps) {
  return (
    <section class={className ? `section ${className}` : 'section'} aria-label={title} hidden={hidden}>
      <h2>{heading}</h2>
      {children}
    </section>
  );
}

interface CalloutProps {
  icon: string;
  warning?: boolean;
  children: string;
}

/** A message with an icon. */
export function Callout({ icon, warning = false, children }: CalloutProps) {
  return (
    <p class={warning ? 'callout warning' : 'callout'}>
      <Icon name={icon} />
      <span>{children}</span>
    </p>
  );
}

interface SliderProps {
  id: string;
  value: number;
  min: number;
  max: number;
  step: number;
  /** The value as text beside the slider. */
  words: string;
  /** The value as text for screen readers. */
  valueText?: string;
  onInput: (value: number) => void;
}

/** A slider with its value beside it. */
export function Slider({ id, value, min, max, step, words, valueText, onInput }: SliderProps) {
  return (
    <>
      <input
        type="range"
        class="slider"
        id={id}
        min={min}
        max={max}
        step={step}
        value={value}
        aria-valuetext={valueText}
        style={{ '--filled': `${((value - min) / (max - min)) * 100}%` }}
        onInput={({ currentTarget }) => onInput(Number(currentTarget.value))}
      />
      <output class="slider-value" for={id}>
        {words}
      </output>
    </>
  );
}
