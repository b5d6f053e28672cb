import { isCoded } from '../../base/errors';
import type { ChannelLook, PictureLook } from '../../formats/pictureLook';
import type { MasksPageSide, MasksPanelSide } from '../../protocol/masksPage';
import type { PictureInfo } from '../../protocol/pictureEngine';
import type { RpcEndpoint } from '../../protocol/rpc';
import { element, fill, icon } from '../element';
import type { PageText } from '../pageText';
import { fromHex, toHex } from './palette';
import { RangeClip } from './rangeClip';

export interface PictureControlsOptions {
  text: PageText;
  panel: RpcEndpoint<MasksPageSide, MasksPanelSide>;
  root: HTMLElement;
  onLook: (look: PictureLook) => void;
  onFailure: (error: unknown) => void;
}

/** Channels that are listed: more than panels of markers have. */
const MOST_CHANNELS = 64;

/** How the picture is painted: its planes, and of each channel whether it shows, its colour and its contrast. */
export class PictureControls {
  private info: PictureInfo | undefined;
  private look: PictureLook | undefined;
  private clips: RangeClip[] = [];
  /** Channels whose spread is known. */
  private spreads: boolean[] = [];
  private locked = false;
  private asked = 0;

  constructor(private readonly options: PictureControlsOptions) {}

  /** Another picture, or none. */
  setPicture(info: PictureInfo | undefined): void {
    if (info?.picture === this.info?.picture) return;
    this.info = info;
    this.look = info?.look;
    this.render();
    void this.spread(false);
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
    auto.addEventListener('click', () => void this.spread(true));
    const lock = element('input', { type: 'checkbox' });
    lock.checked = this.locked;
    lock.addEventListener('change', () => void this.setLocked(lock.checked));
    fill(
      root,
      ...(['page', 'z', 't'] as const).map(axis => this.axis(axis, info.axes[axis])),
      ...look.channels.slice(0, MOST_CHANNELS).map((channel, at) => this.channel(channel, at)),
      look.channels.length > MOST_CHANNELS &&
        element(
          'p',
          { class: 'callout' },
          icon('info'),
          element('span', {}, text.get('moreChannels', MOST_CHANNELS, look.channels.length)),
        ),
      element(
        'div',
        { class: 'contrast-row' },
        element('label', { class: 'check' }, lock, text.get('contrastLock')),
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
    const name = { page: 'axisPage', z: 'axisZ', t: 'axisT' }[axis];
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
    const name = this.nameOf(at);
    const shown = element('input', { type: 'checkbox', 'aria-label': text.get('channelShown', name) });
    shown.checked = channel.shown;
    shown.addEventListener('change', () => {
      this.changeChannel(at, { shown: shown.checked });
      clip.root.hidden = !shown.checked || !this.spreads[at];
    });
    const colour = element('input', {
      type: 'color',
      class: 'swatch',
      value: toHex(channel.colour),
      'aria-label': text.get('classColour', name),
    });
    const clip = new RangeClip({
      text,
      lowLabel: 'contrastLow',
      highLabel: 'contrastHigh',
      colourAt: share => {
        const [red, green, blue] = this.look?.channels[at]?.colour ?? [255, 255, 255];
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
    colour.addEventListener('input', () => {
      const chosen = fromHex(colour.value);
      if (chosen) this.changeChannel(at, { colour: [...chosen] });
      clip.repaint();
    });
    clip.root.hidden = true;
    const label = element('label', { class: 'check channel-name' }, shown, element('span', {}, name));
    return element(
      'div',
      { class: 'channel', role: 'group', 'aria-label': name },
      element('div', { class: 'channel-row' }, label, colour),
      clip.root,
    );
  }

  private nameOf(at: number): string {
    return this.info?.channelNames[at] || this.options.text.get('channel', at + 1);
  }

  private changeChannel(at: number, change: Partial<ChannelLook>): void {
    if (!this.look) return;
    const channels = this.look.channels.map((each, i) => (i === at ? { ...each, ...change } : each));
    this.change({ ...this.look, channels });
    if (this.locked && ('low' in change || 'high' in change)) void this.setLocked(true);
  }

  private change(look: PictureLook): void {
    this.look = look;
    this.options.onLook(look);
  }

  /** Asks how samples are spread; with `take`, their usual ranges are taken. */
  private async spread(take: boolean): Promise<void> {
    const { info, look } = this;
    const asked = ++this.asked;
    if (!info || !look) return;
    try {
      const { channels } = await this.options.panel.request('pictureContrast', {
        picture: info.picture,
        look,
      });
      if (asked !== this.asked || !this.look) return;
      if (take) {
        const ranged = this.look.channels.map((each, at) => {
          const found = channels[at];
          return found ? { ...each, low: found.low, high: found.high } : each;
        });
        this.change({ ...this.look, channels: ranged });
        if (this.locked) void this.setLocked(true);
      }
      this.clips.forEach((clip, at) => {
        const found = channels[at];
        const own = this.look?.channels[at];
        this.spreads[at] = found !== undefined;
        // Of many channels few are looked at: those that do not show take one line each.
        clip.root.hidden = !found || !own?.shown;
        if (!found || !own) return;
        const [low, high] = [Math.min(own.low, own.high), Math.max(own.low, own.high)];
        const [min, max] = [Math.min(found.lowest, low), Math.max(found.highest, high)];
        clip.show({ min, max, counts: Uint32Array.from(found.counts) }, { low, high });
      });
    } catch (error) {
      if (!isCoded(error, 'cancelled')) this.options.onFailure(error);
    }
  }

  /** Pictures opened from now on start with the ranges of this one. */
  private async setLocked(locked: boolean): Promise<void> {
    this.locked = locked;
    const { info, look } = this;
    if (!info || !look) return;
    try {
      const channels = locked ? look.channels.map(({ low, high }) => ({ low, high })) : null;
      await this.options.panel.request('lockContrast', { picture: info.picture, channels });
    } catch (error) {
      if (!isCoded(error, 'cancelled')) this.options.onFailure(error);
    }
  }
}
