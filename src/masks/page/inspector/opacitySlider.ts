import { element } from '../../../pages/page/widgets/element';
import type { MasksText } from '../../../pages/page/pageText';

/** A labeled slider for the opacity of the masks, 0…1. */
export function opacitySlider(
  text: MasksText,
  value: number,
  onChange: (value: number) => void,
): HTMLElement {
  const slider = element('input', {
    type: 'range',
    class: 'slider',
    min: 0,
    max: 100,
    step: 5,
    id: 'opacity',
  });
  slider.value = String(Math.round(value * 100));
  const shown = element('output', { class: 'slider-value', for: 'opacity' });
  const update = () => {
    const words = text.get('percent', Number(slider.value));
    shown.textContent = words;
    slider.setAttribute('aria-valuetext', words);
    slider.style.setProperty('--filled', `${slider.value}%`);
  };
  update();
  slider.addEventListener('input', () => {
    update();
    onChange(Number(slider.value) / 100);
  });
  return element(
    'div',
    { class: 'slider-row' },
    element('label', { for: 'opacity' }, text.get('opacity')),
    slider,
    shown,
  );
}
