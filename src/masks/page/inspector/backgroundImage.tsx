import { type PageWords, t } from '../../../pages/page/l10n';
import { useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { pathParts } from '../../../base/pathParts';
import type { BackgroundImageInfo } from '../../../images/backgroundImageInfo';
import type { BackgroundImageOffer, BackgroundImagePairing } from '../../../images/backgroundImagePairing';
import { Button, Icon, LinkButton } from '../../../pages/page/widgets/parts';
import type { PixelSizeWithSource } from '../state/backgroundImageModel';
import { isSquare } from '../state/objectMeasurements';
import type { Extent } from '../tiles/viewTransform';
import { BackgroundImageControls } from './backgroundImageControls';
import { Callout, type InspectorProps, Section } from './sections';

const HEADINGS: Record<BackgroundImagePairing['state'], PageWords | undefined> = {
  paired: undefined,
  suggested: t.later('Is this the background image?'),
  missing: t.later('No background image found'),
  unreadable: t.later("Couldn't read the background image"),
};

/** The background image below the masks, and how it was found: always shown, as it may be wrong. */
export function BackgroundImageSection({ store }: InspectorProps) {
  const { image, background } = store;
  const pixelSize = background.pixelSize.value;
  const pixelSizeSource = () => {
    if (!pixelSize) return null;
    const [x, y] = [t.significant(pixelSize.size.x, 5), t.significant(pixelSize.size.y, 5)];
    if (pixelSize.from === 'user') return t('{0} µm per pixel, set by you', x);
    return isSquare(pixelSize.size)
      ? t('{0} µm per pixel, from the background image', x)
      : t('{0} × {1} µm per pixel, from the background image', x, y);
  };
  return (
    <Section title={t('Background image')} hidden={!image.scene.value}>
      <div class="background-image-body">
        <SearchResult
          store={store}
          looking={t('Looking for the background image…')}
          reading={t.later('Loading the background image: {0}%')}
          otherwise={<ChooseButton store={store} />}
        >
          {pairing => <Pairing store={store} pairing={pairing} />}
        </SearchResult>
      </div>
      <p class="hint pixel-size">
        {pixelSize && <span>{pixelSizeSource()}</span>}
        <PixelSizeButton store={store} />
      </p>
      <BackgroundImageControls store={store} />
    </Section>
  );
}

/** The sections of an image file without masks: its display settings and its properties. */
export function ImageFileSections({ store }: InspectorProps) {
  return (
    <div hidden={!store.image.scene.value}>
      <Section title={t({ message: 'Display', comment: 'Noun: how an image is displayed' })}>
        <BackgroundImageControls store={store} />
      </Section>
      <Section title={t('Image')}>
        <div class="background-image-body">
          <SearchResult store={store} looking={t('Opening…')} reading={t.later('Loading the image: {0}%')}>
            {pairing => <ImageFile store={store} pairing={pairing} />}
          </SearchResult>
        </div>
      </Section>
    </div>
  );
}

interface SearchProps extends InspectorProps {
  looking: string;
  /** With a placeholder for the percentage. */
  reading: PageWords;
  /** Further actions after the user stopped loading. */
  otherwise?: ComponentChildren;
  children: (pairing: BackgroundImagePairing) => ComponentChildren;
}

/** The background image of the image once it is searched for; before, the search's progress. */
function SearchResult({ store: { background }, looking, reading, otherwise, children }: SearchProps) {
  const search = background.search.value;
  const pairing = background.pairing.value;
  switch (search.step) {
    case 'looking':
      return <p class="hint">{looking}</p>;
    case 'reading':
      return (
        <>
          <p class="hint">{reading(Math.floor(search.share * 100))}</p>
          <Button class="background-image-stop" onClick={() => background.stop()}>
            {t({ message: 'Stop', comment: 'Verb: stop loading an image' })}
          </Button>
        </>
      );
    case 'stopped':
      return (
        <>
          <Callout icon="circle-slash">{t('Loading was stopped.')}</Callout>
          <div class="buttons">
            <Button onClick={() => void background.find()}>{t('Load Image')}</Button>
            {otherwise}
          </div>
        </>
      );
    case 'ended':
      return <>{pairing && children(pairing)}</>;
  }
}

function ChooseButton({ store: { background } }: InspectorProps) {
  return <Button onClick={() => background.choose()}>{t('Select Background Image…')}</Button>;
}

function PixelSizeButton({ store: { background } }: InspectorProps) {
  return (
    <LinkButton onClick={() => void background.choosePixelSize()}>
      {background.pixelSize.value ? t('Change…') : t('Set Pixel Size…')}
    </LinkButton>
  );
}

interface PairingProps extends InspectorProps {
  pairing: BackgroundImagePairing;
}

function Pairing({ store, pairing }: PairingProps) {
  const { state, backgroundImage: info, path, how, offers } = pairing;
  const sizeHeading = pairing.severalFit
    ? t.later('The file has several images of this size')
    : t.later('The background image has a different size');
  const heading = offers ? sizeHeading : HEADINGS[state];
  const name = info?.name ?? (path && pathParts(path).at(-1));
  return (
    <>
      {heading && (
        <Callout icon="warning" warning>
          {heading()}
        </Callout>
      )}
      {name && (
        <p class="background-image-name" title={path ?? name}>
          <Icon name="file-media" />
          <span>{name}</span>
        </p>
      )}
      <p class="hint">
        {how}{' '}
        {pairing.isChosen && (
          <LinkButton onClick={() => store.background.undoChoice()}>
            {t({ message: 'Undo', comment: 'Verb' })}
          </LinkButton>
        )}
      </p>
      {info && <p class="hint">{sizeWords(info)}</p>}
      <Notes pairing={pairing} />
      {info && !pairing.stretched && <OtherSize store={store} info={info} />}
      <Offers store={store} pairing={pairing} />
    </>
  );
}

function sizeWords({ width, height, channels, bitsPerSample, compression }: BackgroundImageInfo) {
  const size =
    channels === 1
      ? t('{0} × {1} px, 1 channel, {2}-bit', width, height, bitsPerSample)
      : t('{0} × {1} px, {2} channels, {3}-bit', width, height, channels, bitsPerSample);
  return compression ? `${size}, ${compression}` : size;
}

function Notes({ pairing: { notes = [] } }: { pairing: BackgroundImagePairing }) {
  return notes.map(note => (
    <Callout key={note} icon="info">
      {note}
    </Callout>
  ));
}

/** A warning if the background image has another size, with a choice to stretch it. */
function OtherSize({ store: { image, background }, info }: InspectorProps & { info: Extent }) {
  const { width, height } = image.summary.value ?? info;
  if (info.width === width && info.height === height) return null;
  return (
    <div>
      <Callout icon="warning" warning>
        {t(
          'The background image is {0} × {1} px, the masks are {2} × {3} px.',
          info.width,
          info.height,
          width,
          height,
        )}
      </Callout>
      <label class="check">
        <input
          type="checkbox"
          checked={background.stretched.value}
          onChange={({ currentTarget }) => background.stretch(currentTarget.checked)}
        />
        {t('Stretch to Fit Masks')}
      </label>
    </div>
  );
}

function Offers({ store, pairing: { state, offers = [] } }: PairingProps) {
  const { background } = store;
  const isSuggested = state === 'suggested';
  return (
    <div class="buttons">
      {isSuggested && (
        <Button primary onClick={() => background.confirm()}>
          {t('Use as Background')}
        </Button>
      )}
      {offers.map((offer, index) => (
        <Button
          key={index}
          // At most one button is primary: the first offer that doesn't scale the image.
          primary={!isSuggested && index === 0 && offer.kind !== 'scaled'}
          onClick={() => background.accept(offer)}
        >
          {offerWords(offer)}
        </Button>
      ))}
      <ChooseButton store={store} />
    </div>
  );
}

function offerWords(offer: BackgroundImageOffer): string {
  switch (offer.kind) {
    case 'level':
      return t('Use Its Level of {0} × {1} px', offer.width, offer.height);
    case 'page':
      return offer.role?.kind === 'area'
        ? t('Use Its Area {0}', offer.role.number)
        : t('Use Its Page {0}', offer.page + 1);
    case 'turned':
      return t('Turn by EXIF Orientation');
    case 'scaled':
      return t('Stretch to Fit Masks');
  }
}

const SAMPLE_WORDS = {
  unsigned: t.later('{0}-bit unsigned'),
  signed: t.later('{0}-bit signed'),
  float: t.later('{0}-bit float'),
} as const;

function ImageFile({ store, pairing }: PairingProps) {
  const { backgroundImage: info, how, fileSize } = pairing;
  const pixelSize = useComputed(() => pixelSizeWords(store.background.pixelSize.value));
  if (!info)
    return (
      <Callout icon="warning" warning>
        {how}
      </Callout>
    );
  const { width, height, channels, bitsPerSample, sampleKind, compression, levels, axes, magnification } =
    info;
  const planes = axes.page * axes.z * axes.t;
  const coarsest = levels.at(-1);
  const property = (name: string, value: ComponentChildren) => (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
  return (
    <>
      <dl class="measures">
        {property(
          t({ message: 'Size', comment: 'Width and height of an image' }),
          t('{0} × {1} px', width, height),
        )}
        {property(t('Pixel size'), [pixelSize, ' ', <PixelSizeButton key="set" store={store} />])}
        {property(t('Channels'), t.number(channels))}
        {property(
          t({ message: 'Samples', comment: 'Numbers that pixels consist of' }),
          SAMPLE_WORDS[sampleKind](bitsPerSample),
        )}
        {planes > 1 &&
          property(
            t({ message: 'Planes', comment: 'Of an image: by channel, depth and time' }),
            t.number(planes),
          )}
        {levels.length > 1 &&
          coarsest &&
          property(
            t('Pyramid levels'),
            t('{0}, down to {1} × {2} px', levels.length, coarsest.width, coarsest.height),
          )}
        {magnification !== undefined &&
          property(t('Magnification'), t('{0}×', t.significant(magnification, 3)))}
        {property(t('Compression'), compression ?? t({ message: 'None', comment: 'No compression' }))}
        {fileSize && property(t('File size'), fileSize)}
      </dl>
      <Notes pairing={pairing} />
    </>
  );
}

function pixelSizeWords(pixelSize: PixelSizeWithSource | undefined): string {
  if (!pixelSize) return '';
  const { size, from } = pixelSize;
  const [x, y] = [t.significant(size.x, 5), t.significant(size.y, 5)];
  const words = isSquare(size) ? t('{0} µm', x) : t('{0} × {1} µm', x, y);
  return from === 'user' ? t('{0}, set by you', words) : words;
}
