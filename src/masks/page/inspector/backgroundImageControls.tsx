import { t } from '../../../pages/page/l10n';
import { useCallback } from 'preact/hooks';
import { fromHex, toHex } from '../../../base/colors';
import type { ChannelLook } from '../../../images/backgroundImageInfo';
import { LinkButton } from '../../../pages/page/widgets/parts';
import type { ValueRange, ValueSpread } from '../../../pages/page/widgets/colorScale';
import { channelName } from '../state/objectMeasurements';
import { RangeClip } from '../../../pages/page/widgets/rangeClip';
import { Callout, type InspectorProps, Slider } from './sections';

/** Maximum number of listed channels: more than any panel of markers has. */
const MAX_CHANNELS = 64;

const AXES = {
  page: t.later({ message: 'Page', comment: 'Of a TIFF file' }),
  z: t.later({ message: 'Z', comment: 'Axis through a stack of images' }),
  t: t.later({ message: 'Time', comment: 'Axis through a series of images' }),
} as const;

/** Settings of the background image: planes, and each channel's visibility, color and contrast. */
export function BackgroundImageControls({ store }: InspectorProps) {
  const { background, images } = store;
  const { info, look } = background.painted.value ?? {};
  if (!info || !look) return <div class="background-image-controls" />;
  const { backgroundImage, channels: histograms = [] } = background.histograms.value ?? {};
  return (
    <div class="background-image-controls">
      {(['page', 'z', 't'] as const).map(axis => (
        <Axis key={axis} store={store} axis={axis} value={look[axis]} count={info.axes[axis]} />
      ))}
      {look.channels.slice(0, MAX_CHANNELS).map((channel, index) => (
        <Channel
          // The key changes with the image, so that typed text doesn't stay.
          key={`${info.backgroundImage} ${index}`}
          store={store}
          index={index}
          name={channelName(info, index)}
          channel={channel}
          spread={backgroundImage === info.backgroundImage ? histograms[index] : undefined}
        />
      ))}
      {look.channels.length > MAX_CHANNELS && (
        <Callout icon="info">
          {t(
            "The first {0} of {1} channels are listed. The others can't be shown.",
            MAX_CHANNELS,
            look.channels.length,
          )}
        </Callout>
      )}
      <div class="contrast-row">
        {images.length > 1 && (
          <label class="check">
            <input
              type="checkbox"
              checked={background.isShared.value}
              onChange={({ currentTarget }) => background.share(currentTarget.checked)}
            />
            {t('Same contrast for all images')}
          </label>
        )}
        <LinkButton onClick={() => background.setUsualContrast()}>{t('Auto Contrast')}</LinkButton>
      </div>
    </div>
  );
}

interface AxisProps extends InspectorProps {
  axis: keyof typeof AXES;
  value: number;
  count: number;
}

/** A slider through the positions of an axis; absent for a single position. */
function Axis({ store: { background }, axis, value, count }: AxisProps) {
  if (count < 2) return null;
  const id = `axis-${axis}`;
  return (
    <div class="axis-row">
      <label for={id}>{AXES[axis]()}</label>
      <Slider
        id={id}
        min={1}
        max={count}
        step={1}
        value={value + 1}
        words={t('{0} of {1}', value + 1, count)}
        onInput={position => background.change({ [axis]: position - 1 })}
      />
    </div>
  );
}

interface ChannelProps extends InspectorProps {
  index: number;
  name: string;
  channel: ChannelLook;
  spread: ValueSpread | undefined;
}

function Channel({ store: { background }, index, name, channel, spread }: ChannelProps) {
  const { shown, color, low, high } = channel;
  // An inverted contrast, where white is the minimum, stays inverted.
  const orderedEnds = (ends: ValueRange) => (low > high ? { low: ends.high, high: ends.low } : ends);
  const colorAt = useCallback(
    (share: number) => `rgb(${color.map(part => part * (0.25 + 0.75 * share)).join(' ')})`,
    [color],
  );
  return (
    <div class="channel" role="group" aria-label={name}>
      <div class="channel-row">
        <label class="check channel-name">
          <input
            type="checkbox"
            checked={shown}
            aria-label={t('Show {0}', name)}
            onChange={({ currentTarget }) =>
              background.changeChannel(index, { shown: currentTarget.checked })
            }
          />
          <span>{name}</span>
        </label>
        <input
          type="color"
          class="swatch"
          value={toHex(color)}
          aria-label={t('Color of {0}', name)}
          onInput={({ currentTarget }) => {
            const selectedColor = fromHex(currentTarget.value);
            if (selectedColor) background.changeChannel(index, { color: [...selectedColor] });
          }}
        />
      </div>
      {/* A hidden channel takes one line, which keeps long lists short. */}
      {shown && spread && (
        <RangeClip
          labels={{ low: t('Minimum'), high: t('Maximum') }}
          spread={spread}
          range={orderedEnds({ low, high })}
          colorAt={colorAt}
          change={ends => background.changeChannel(index, orderedEnds(ends))}
        />
      )}
    </div>
  );
}
