import { useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { pathParts } from '../../../base/pathParts';
import type { BackgroundImageInfo } from '../../../images/backgroundImageInfo';
import type { BackgroundImageOffer, BackgroundImagePairing } from '../../../images/backgroundImagePairing';
import type { MasksTextKey } from '../../../pages/masksTexts';
import { t } from '../../../pages/page/l10n';
import type { MasksText } from '../../../pages/page/pageText';
import { Button, Icon, LinkButton } from '../../../pages/page/widgets/parts';
import type { KnownPixelSize } from '../state/backgroundImageModel';
import { isSquare } from '../state/objectMeasurements';
import type { Extent } from '../tiles/viewTransform';
import { BackgroundImageControls } from './backgroundImageControls';
import { Callout, type InspectorProps, Section } from './sections';

const HEADINGS: Record<BackgroundImagePairing['state'], MasksTextKey | undefined> = {
  paired: undefined,
  suggested: 'backgroundImageSuggested',
  missing: 'backgroundImageMissing',
  unreadable: 'backgroundImageUnreadable',
};

/** Which background image lies under the masks and how it was found; always shown, because the pairing may be wrong. */
export function BackgroundImageSection({ store, text }: InspectorProps) {
  const { image, background } = store;
  const known = background.pixelSize.value;
  const size = () => {
    if (!known) return null;
    const [x, y] = [text.significant(known.size.x, 5), text.significant(known.size.y, 5)];
    if (known.from === 'user') return text.get('pixelSizeByUser', x);
    return isSquare(known.size)
      ? text.get('pixelSizeByBackgroundImage', x)
      : text.get('pixelSidesByBackgroundImage', x, y);
  };
  return (
    <Section title={text.get('backgroundImage')} hidden={!image.scene.value}>
      <div class="background-image-body">
        <Found
          store={store}
          text={text}
          looking="backgroundImageSearch"
          reading="backgroundImageLoading"
          otherwise={<ChooseButton store={store} text={text} />}
        >
          {pairing => <Pairing store={store} text={text} pairing={pairing} />}
        </Found>
      </div>
      <p class="hint pixel-size">
        {known && <span>{size()}</span>}
        <PixelSizeButton store={store} text={text} />
      </p>
      <BackgroundImageControls store={store} text={text} />
    </Section>
  );
}

/** What is known of an image file that is shown by itself: how it is painted, and what is in the file. */
export function ImageFileSections({ store, text }: InspectorProps) {
  return (
    <div hidden={!store.image.scene.value}>
      <Section title={text.get('display')}>
        <BackgroundImageControls store={store} text={text} />
      </Section>
      <Section title={text.get('imageFile')}>
        <div class="background-image-body">
          <Found store={store} text={text} looking="opening" reading="imageLoading">
            {pairing => <ImageFile store={store} text={text} pairing={pairing} />}
          </Found>
        </div>
      </Section>
    </div>
  );
}

interface FoundProps extends InspectorProps {
  looking: MasksTextKey;
  reading: MasksTextKey;
  /** What can be done where the user did not want to wait for it. */
  otherwise?: ComponentChildren;
  children: (pairing: BackgroundImagePairing) => ComponentChildren;
}

/** What was found; until then, how far the search is. */
function Found({ store: { background }, text, looking, reading, otherwise, children }: FoundProps) {
  const search = background.search.value;
  const pairing = background.pairing.value;
  switch (search.step) {
    case 'looking':
      return <p class="hint">{text.get(looking)}</p>;
    case 'reading':
      return (
        <>
          <p class="hint">{text.get(reading, Math.floor(search.share * 100))}</p>
          <Button class="background-image-stop" onClick={() => background.stop()}>
            {text.get('stopLoading')}
          </Button>
        </>
      );
    case 'stopped':
      return (
        <>
          <Callout icon="circle-slash">{text.get('loadingStopped')}</Callout>
          <div class="buttons">
            <Button onClick={() => void background.find()}>{text.get('loadImage')}</Button>
            {otherwise}
          </div>
        </>
      );
    case 'ended':
      return <>{pairing && children(pairing)}</>;
  }
}

function ChooseButton({ store: { background }, text }: InspectorProps) {
  return <Button onClick={() => background.choose()}>{text.get('chooseBackgroundImage')}</Button>;
}

function PixelSizeButton({ store: { background }, text }: InspectorProps) {
  return (
    <LinkButton onClick={() => void background.choosePixelSize()}>
      {text.get(background.pixelSize.value ? 'changePixelSize' : 'setPixelSize')}
    </LinkButton>
  );
}

interface PairingProps extends InspectorProps {
  pairing: BackgroundImagePairing;
}

function Pairing({ store, text, pairing }: PairingProps) {
  const { state, backgroundImage: info, path, how, offers } = pairing;
  const otherSize: MasksTextKey = pairing.severalFit ? 'backgroundImageSeveral' : 'backgroundImageOtherSize';
  const heading: MasksTextKey | undefined = offers ? otherSize : HEADINGS[state];
  const name = info?.name ?? (path && pathParts(path).at(-1));
  return (
    <>
      {heading && (
        <Callout icon="warning" warning>
          {text.get(heading)}
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
          <LinkButton onClick={() => store.background.undoChoice()}>{t('Undo')}</LinkButton>
        )}
      </p>
      {info && <p class="hint">{sizeWords(info, text)}</p>}
      <Notes pairing={pairing} />
      {info && !pairing.stretched && <OtherSize store={store} text={text} info={info} />}
      <Offers store={store} text={text} pairing={pairing} />
    </>
  );
}

function sizeWords(
  { width, height, channels, bitsPerSample, compression }: BackgroundImageInfo,
  text: MasksText,
) {
  const size =
    channels === 1
      ? text.get('backgroundImageSizeOne', width, height, bitsPerSample)
      : text.get('backgroundImageSize', width, height, channels, bitsPerSample);
  return compression ? `${size}, ${compression}` : size;
}

function Notes({ pairing: { notes = [] } }: { pairing: BackgroundImagePairing }) {
  return notes.map(note => (
    <Callout key={note} icon="info">
      {note}
    </Callout>
  ));
}

/** Of a background image that has another size than the masks: whether it is stretched over them. */
function OtherSize({ store: { image, background }, text, info }: InspectorProps & { info: Extent }) {
  const { width, height } = image.known.value ?? info;
  if (info.width === width && info.height === height) return null;
  return (
    <div>
      <Callout icon="warning" warning>
        {text.get('backgroundImageSizeDiffers', info.width, info.height, width, height)}
      </Callout>
      <label class="check">
        <input
          type="checkbox"
          checked={background.stretched.value}
          onChange={({ currentTarget }) => background.stretch(currentTarget.checked)}
        />
        {text.get('backgroundImageStretch')}
      </label>
    </div>
  );
}

function Offers({ store, text, pairing: { state, offers = [] } }: PairingProps) {
  const { background } = store;
  const isSuggested = state === 'suggested';
  return (
    <div class="buttons">
      {isSuggested && (
        <Button primary onClick={() => background.confirm()}>
          {text.get('confirmBackgroundImage')}
        </Button>
      )}
      {offers.map((offer, at) => (
        <Button
          key={at}
          // One button stands out: what the file has at the masks' own size is the best of it.
          primary={!isSuggested && at === 0 && offer.kind !== 'scaled'}
          onClick={() => background.accept(offer)}
        >
          {offerWords(offer, text)}
        </Button>
      ))}
      <ChooseButton store={store} text={text} />
    </div>
  );
}

function offerWords(offer: BackgroundImageOffer, text: MasksText): string {
  switch (offer.kind) {
    case 'level':
      return text.get('offerLevel', offer.width, offer.height);
    case 'page':
      return offer.role?.kind === 'area'
        ? text.get('offerArea', offer.role.number)
        : text.get('offerPage', offer.page + 1);
    case 'turned':
      return text.get('backgroundImageTurn');
    case 'scaled':
      return text.get('backgroundImageStretch');
  }
}

const SAMPLES = { unsigned: 'samplesUnsigned', signed: 'samplesSigned', float: 'samplesFloat' } as const;

function ImageFile({ store, text, pairing }: PairingProps) {
  const { backgroundImage: info, how, fileSize } = pairing;
  const pixelSize = useComputed(() => pixelSizeWords(store.background.pixelSize.value, text));
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
  const fact = (name: MasksTextKey, value: ComponentChildren) => (
    <>
      <dt>{text.get(name)}</dt>
      <dd>{value}</dd>
    </>
  );
  return (
    <>
      <dl class="measures">
        {fact('factSize', text.get('imageSize', width, height))}
        {fact('factPixelSize', [pixelSize, ' ', <PixelSizeButton key="set" store={store} text={text} />])}
        {fact('factChannels', text.number(channels))}
        {fact('factSamples', text.get(SAMPLES[sampleKind], bitsPerSample))}
        {planes > 1 && fact('factPlanes', text.number(planes))}
        {levels.length > 1 &&
          coarsest &&
          fact('factLevels', text.get('levelsTo', levels.length, coarsest.width, coarsest.height))}
        {magnification !== undefined &&
          fact('factMagnification', text.get('magnification', text.significant(magnification, 3)))}
        {fact('factCompression', compression ?? text.get('compressionNone'))}
        {fileSize && fact('factFileSize', fileSize)}
      </dl>
      <Notes pairing={pairing} />
    </>
  );
}

function pixelSizeWords(known: KnownPixelSize | undefined, text: MasksText): string {
  if (!known) return '';
  const { size, from } = known;
  const [x, y] = [text.significant(size.x, 5), text.significant(size.y, 5)];
  const words = isSquare(size) ? text.get('microns', x) : text.get('micronSides', x, y);
  return from === 'user' ? text.get('setByYou', words) : words;
}
