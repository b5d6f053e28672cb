import { isCoded } from '../../../base/errors';
import { fromHex, toHex } from '../../../base/colors';
import type {
  BackgroundImageInfo,
  BackgroundImageLook,
  ChannelLook,
} from '../../../images/backgroundImageInfo';
import type { MasksText } from '../../../pages/page/pageText';
import { element, fill, icon } from '../../../pages/page/widgets/element';
import type { RpcEndpoint } from '../../../protocol/rpc';
import type { MasksPageSide, MasksPanelSide } from '../../masksPage';
import { RangeClip } from './rangeClip';

interface BackgroundImageControlsOptions {
  text: MasksText;
  panel: RpcEndpoint<MasksPageSide, MasksPanelSide>;
  root: HTMLElement;
  /** Whether there are other images, which may have the same contrast. */
  canLock: boolean;
  onLook: (look: BackgroundImageLook) => void;
  /** Whether all images have the same contrast. */
  isShared: () => boolean;
  onShared: (shared: boolean) => void;
  onFailure: (error: unknown) => void;
}

/** Channels that are listed: more than panels of markers have. */
const MAX_CHANNELS = 64;

/** Controls of how the background image is painted: its planes, and each channel's visibility, color and contrast. */
export class BackgroundImageControls {
  private info: BackgroundImageInfo | undefined;
  private look: BackgroundImageLook | undefined;
  private clips: RangeClip[] = [];
  /** Channels whose spread is known. */
  private spreads: boolean[] = [];
  private requests = 0;

  constructor(private readonly options: BackgroundImageControlsOptions) {}

  /** Another background image in its look, or none. */
  setBackgroundImage(info: BackgroundImageInfo | undefined, look: BackgroundImageLook | undefined): void {
    if (info?.backgroundImage === this.info?.backgroundImage) return;
    this.info = info;
    this.look = look;
    this.render();
    void this.loadSpread(false);
  }

  private render(): void {
    const { info, look } = this;
    const { root, text } = this.options;
    this.clips = [];
    this.spreads = [];
    if (!info || !look) {
      fill(root);
      return;
    }
    const auto = element('button', { type: 'button', class: 'link-button' }, text.get('contrastAuto'));
    auto.addEventListener('click', () => void this.loadSpread(true));
    const lock = element('input', { type: 'checkbox' });
    lock.checked = this.options.isShared();
    lock.addEventListener('change', () => this.options.onShared(lock.checked));
    fill(
      root,
      ...(['page', 'z', 't'] as const).map(axis => this.axis(axis, info.axes[axis])),
      ...look.channels.slice(0, MAX_CHANNELS).map((channel, at) => this.channel(channel, at)),
      look.channels.length > MAX_CHANNELS &&
        element(
          'p',
          { class: 'callout' },
          icon('info'),
          element('span', {}, text.get('moreChannels', MAX_CHANNELS, look.channels.length)),
        ),
      element(
        'div',
        { class: 'contrast-row' },
        this.options.canLock && element('label', { class: 'check' }, lock, text.get('contrastLock')),
        auto,
      ),
    );
  }

  /** A slider through the positions of an axis; nothing where there is nothing to choose. */
  private axis(axis: 'page' | 'z' | 't', count: number): HTMLElement | null {
    const { text } = this.options;
    if (count < 2 || !this.look) return null;
    const id = `axis-${axis}`;
    const slider = element('input', { type: 'range', class: 'slider', id, min: 1, max: count, step: 1 });
    slider.value = String(this.look[axis] + 1);
    const words = element('output', { class: 'slider-value', for: id });
    const update = () => {
      words.textContent = text.get('imageOf', Number(slider.value), count);
      slider.style.setProperty('--filled', `${((Number(slider.value) - 1) / (count - 1)) * 100}%`);
    };
    update();
    slider.addEventListener('input', () => {
      update();
      if (this.look) this.change({ ...this.look, [axis]: Number(slider.value) - 1 });
    });
    const name = ({ page: 'axisPage', z: 'axisZ', t: 'axisT' } as const)[axis];
    return element(
      'div',
      { class: 'axis-row' },
      element('label', { for: id }, text.get(name)),
      slider,
      words,
    );
  }

  private channel(channel: ChannelLook, at: number): HTMLElement {
    const { text } = this.options;
    const name = this.info ? channelName(text, this.info, at) : '';
    const shown = element('input', { type: 'checkbox', 'aria-label': text.get('channelShown', name) });
    shown.checked = channel.shown;
    shown.addEventListener('change', () => {
      this.changeChannel(at, { shown: shown.checked });
      clip.root.hidden = !shown.checked || !this.spreads[at];
    });
    const color = element('input', {
      type: 'color',
      class: 'swatch',
      value: toHex(channel.color),
      'aria-label': text.get('classColor', name),
    });
    const clip = new RangeClip({
      text,
      lowLabel: 'contrastLow',
      highLabel: 'contrastHigh',
      colorAt: share => {
        const [red, green, blue] = this.look?.channels[at]?.color ?? [255, 255, 255];
        const light = 0.25 + 0.75 * share;
        return `rgb(${red * light} ${green * light} ${blue * light})`;
      },
      onChange: ({ low, high }) => {
        const own = this.look?.channels[at];
        // Where white is zero it stays so.
        const inverted = own !== undefined && own.low > own.high;
        this.changeChannel(at, inverted ? { low: high, high: low } : { low, high });
      },
    });
    this.clips.push(clip);
    color.addEventListener('input', () => {
      const selected = fromHex(color.value);
      if (selected) this.changeChannel(at, { color: [...selected] });
      clip.repaint();
    });
    clip.root.hidden = true;
    const label = element('label', { class: 'check channel-name' }, shown, element('span', {}, name));
    return element(
      'div',
      { class: 'channel', role: 'group', 'aria-label': name },
      element('div', { class: 'channel-row' }, label, color),
      clip.root,
    );
  }

  private changeChannel(at: number, change: Partial<ChannelLook>): void {
    if (!this.look) return;
    const channels = this.look.channels.map((each, i) => (i === at ? { ...each, ...change } : each));
    this.change({ ...this.look, channels });
  }

  private change(look: BackgroundImageLook): void {
    this.look = look;
    this.options.onLook(look);
  }

  /** Requests how samples are spread; with `apply`, sets their usual ranges. */
  private async loadSpread(apply: boolean): Promise<void> {
    const { info, look } = this;
    const request = ++this.requests;
    if (!info || !look) return;
    try {
      const { channels } = await this.options.panel.request('backgroundImageContrast', {
        backgroundImage: info.backgroundImage,
        look,
      });
      if (request !== this.requests || !this.look) return;
      if (apply) {
        const ranged = this.look.channels.map((each, at) => {
          const found = channels[at];
          return found ? { ...each, low: found.low, high: found.high } : each;
        });
        this.change({ ...this.look, channels: ranged });
      }
      this.clips.forEach((clip, at) => {
        const found = channels[at];
        const own = this.look?.channels[at];
        this.spreads[at] = found !== undefined;
        // A hidden channel takes one line, so that a list of many stays short.
        clip.root.hidden = !found || !own?.shown;
        if (!found || !own) return;
        const [low, high] = [Math.min(own.low, own.high), Math.max(own.low, own.high)];
        // The ends of the colors may be beyond those of the samples, to which the counts belong.
        const { lowest: min, highest: max } = found;
        clip.show({ min, max, counts: Uint32Array.from(found.counts) }, { low, high });
      });
    } catch (error) {
      if (!isCoded(error, 'cancelled')) this.options.onFailure(error);
    }
  }
}

const RGB = ['channelRed', 'channelGreen', 'channelBlue'] as const;

/** The name of a channel (from 0): as the file gives it, else its color in an RGB image, else its number. */
export function channelName(
  text: MasksText,
  { channelNames, rgb }: Pick<BackgroundImageInfo, 'channelNames' | 'rgb'>,
  at: number,
): string {
  const color = rgb && RGB[at];
  return channelNames[at] || (color ? text.get(color) : text.get('channel', at + 1));
}
