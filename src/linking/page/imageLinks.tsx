import { type PageWords, t } from '../../pages/page/l10n';
import type { OpenReason } from '../rowLinks';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { element } from '../../pages/page/widgets/element';
import { Button, Icon, IconButton } from '../../pages/page/widgets/parts';
import { openPopover } from '../../pages/page/widgets/popover';
import type { ImageLink, MasksThumbnail, NamedOpenImage, ShownImageLinks } from '../rowLinks';

/** Lets a user link images of the masks with those of the table. */
interface ImageLinksSource {
  read: () => Promise<ShownImageLinks>;
  /** Links images; a null path removes a link. Resolves with the unlinked images. */
  link: (links: ImageLink[]) => Promise<ShownImageLinks>;
  /** A thumbnail of the masks of an image. */
  thumbnail: (image: number) => Promise<MasksThumbnail>;
  /** Shows an image; absent if the page can't. */
  show?: (image: number) => void;
}

interface ImageLinksProps {
  source: ImageLinksSource;
}

/** A button that opens the popover below. */
export function ImageLinksButton({ source }: ImageLinksProps) {
  return (
    <div class="buttons">
      <Button onClick={({ currentTarget }) => openImageLinks({ anchor: currentTarget, source })}>
        {t('Link Images…')}
      </Button>
    </div>
  );
}

/** Opens a popover where a user links images of equal names with paths of the table. */
export function openImageLinks({ anchor, source }: ImageLinksProps & { anchor: Element }): void {
  openPopover({
    anchor,
    label: t('Link Images'),
    className: 'image-links',
    view: () => <ImageLinks source={source} />,
  });
}

/** State of the popover; empty while links are being read. */
interface PopoverState {
  shown?: ShownImageLinks;
  failure?: string;
}

function ImageLinks({ source }: ImageLinksProps) {
  const [{ shown, failure }, setState] = useState<PopoverState>({});
  const [isBusy, setBusy] = useState(false);
  const body = useRef<HTMLDivElement>(null);
  const hadFocus = useRef(false);
  const work = async (links: Promise<ShownImageLinks>) => {
    hadFocus.current ||= body.current?.contains(document.activeElement) ?? false;
    setBusy(true);
    try {
      setState({ shown: await links });
    } catch (error) {
      setState(earlier => ({ ...earlier, failure: error instanceof Error ? error.message : String(error) }));
    } finally {
      setBusy(false);
    }
  };
  useEffect(() => void work(source.read()), []);
  useLayoutEffect(() => {
    // The row with the focus may be gone.
    if (isBusy || !hadFocus.current || !shown) return;
    hadFocus.current = false;
    (body.current?.querySelector<HTMLElement>('select, button') ?? body.current)?.focus();
  }, [shown, isBusy]);
  return (
    <>
      <h2 class="popover-title">{t('Link Images')}</h2>
      <div ref={body} class="image-links-body" tabIndex={-1} autofocus inert={isBusy}>
        {shown ? (
          <Links source={source} shown={shown} save={links => void work(source.link(links))} />
        ) : (
          t('Opening…')
        )}
      </div>
      <p class="popover-note" role="status">
        {failure !== undefined && t("Couldn't link the images: {0}", failure)}
      </p>
    </>
  );
}

interface LinksProps extends ImageLinksProps {
  shown: ShownImageLinks;
  save: (links: ImageLink[]) => void;
}

function Links({ source, shown: { groups, byHand, isCut }, save }: LinksProps) {
  const thumbnails = useMemo(() => new MasksThumbnails(source.thumbnail), []);
  const suggested = groups.flatMap(({ images }) =>
    images.flatMap(({ id, suggested: path }) => (path === undefined ? [] : [{ image: id, path }])),
  );
  const unlinked = groups.flatMap(({ images, paths }) => images.map(image => ({ image, paths })));
  return (
    <>
      {unlinked.some(({ image }) => image.why !== 'other-size') && (
        <p class="popover-note">
          {t(
            "Several images have the same name, and their objects don't show for certain which rows are theirs. Say which path each image has in the table.",
          )}
        </p>
      )}
      {suggested.length > 0 && (
        <div class="buttons">
          <Button primary onClick={() => save(suggested)}>
            {t.count(suggested.length, 'Accept the Suggestion', 'Accept All {0} Suggestions')}
          </Button>
        </div>
      )}
      {unlinked.length > 0 && (
        <List label={t.count(unlinked.length, '1 image not linked', '{0} images not linked')}>
          {unlinked.map(({ image, paths }) => (
            <OpenImage
              key={image.id}
              source={source}
              thumbnails={thumbnails}
              image={image}
              paths={paths}
              saveTo={path => save([{ image: image.id, path }])}
            />
          ))}
        </List>
      )}
      {isCut && <p class="popover-note">{t('There are more. They are listed once these are linked.')}</p>}
      {byHand.length > 0 && (
        <List label={t('Linked by you')}>
          {byHand.map(({ image, name, path }) => (
            <li key={image} class="image-link linked">
              <Name name={name} />
              <Icon name="link" />
              <span class="image-link-path" title={path}>
                {path}
              </span>
              <IconButton
                icon="discard"
                label={t('Undo the link of {0}', name)}
                onClick={() => save([{ image, path: null }])}
              />
            </li>
          ))}
        </List>
      )}
      {unlinked.length + byHand.length === 0 && <p class="popover-note">{t('All images are linked.')}</p>}
    </>
  );
}

function List({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <>
      <h3 class="image-links-label">{label}</h3>
      <ul class="image-links-list" aria-label={label}>
        {children}
      </ul>
    </>
  );
}

function Name({ name, note }: { name: string; note?: string }) {
  return (
    <span class="image-link-name" title={name}>
      <span class="image-link-file">{name}</span>
      {note && <span class="popover-note">{note}</span>}
    </span>
  );
}

/** Maximum number of paths with buttons; more are shown as a list. */
const MAX_BUTTONS = 6;

interface OpenImageProps extends ImageLinksProps {
  thumbnails: MasksThumbnails;
  image: NamedOpenImage;
  paths: ShownImageLinks['groups'][number]['paths'];
  saveTo: (path: string) => void;
}

/** Why an image isn't linked to a path. */
const OPEN_REASONS: Readonly<Record<OpenReason, PageWords>> = {
  'none-fits': t.later('IDs, areas or positions fit no path'),
  'several-fit': t.later('several paths or images fit about as well'),
  'little-evidence': t.later('fits, but so could another image by chance'),
  'ids-alone': t.later("IDs alone aren't certain"),
  many: t.later('too many images to compare'),
  'other-size': t.later('the rows of its path are of an image of another size'),
};

function OpenImage({ source, thumbnails, image, paths, saveTo }: OpenImageProps) {
  const { image: index, name, objects, isDamaged, suggested, why } = image;
  const { show } = source;
  const masks = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (masks.current && objects > 0) thumbnails.drawWhenVisible(masks.current, index);
  }, []);
  const count = isDamaged ? t("can't be read completely") : t.count(objects, '1 object', '{0} objects');
  const Choice = paths.length > MAX_BUTTONS ? PathChoice : PathButtons;
  return (
    <li class="image-link">
      <div class="image-link-image">
        <span ref={masks} class="image-link-masks" />
        {/* Images of one name are distinguished by their masks and their place in the archive. */}
        <Name
          name={name}
          note={t('Image {0} of the archive, {1}: {2}', index + 1, count, OPEN_REASONS[why]())}
        />
        {show && <IconButton icon="eye" label={t('Show {0}', name)} onClick={() => show(index)} />}
      </div>
      {paths.length === 0 ? (
        <span>{t('No path in the table is left for it.')}</span>
      ) : (
        <Choice name={name} paths={paths} suggested={suggested} saveTo={saveTo} />
      )}
    </li>
  );
}

interface PathsProps extends Pick<OpenImageProps, 'paths' | 'saveTo'> {
  name: string;
  suggested: string | undefined;
}

/** A button for each path of the table, the suggested one first. */
function PathButtons({ name, paths, suggested, saveTo }: PathsProps) {
  const rank = ({ path }: { path: string }) => (path === suggested ? 0 : 1);
  return (
    <div class="image-link-paths">
      {paths
        .toSorted((a, b) => rank(a) - rank(b))
        .map(({ path, rows }) => {
          const isSuggested = path === suggested;
          const label = t('Link {0} to {1}', name, path);
          return (
            <Button
              key={path}
              primary={isSuggested}
              class="image-link-to"
              title={label}
              aria-label={label}
              onClick={() => saveTo(path)}
            >
              {isSuggested
                ? t.count(rows, '{1} (1 row, suggested)', '{1} ({0} rows, suggested)', path)
                : t.count(rows, '{1} (1 row)', '{1} ({0} rows)', path)}
            </Button>
          );
        })}
    </div>
  );
}

/**
 * A list of the table's paths, filled on first use: a thousand images may have a thousand paths
 * each.
 */
function PathChoice({ name, paths, suggested, saveTo }: PathsProps) {
  const [isComplete, setComplete] = useState(false);
  const [selectedPath, setSelectedPath] = useState(suggested ?? '');
  const suggestedPaths = paths.filter(({ path }) => path === suggested);
  const listed = isComplete
    ? [...suggestedPaths, ...paths.filter(({ path }) => path !== suggested)]
    : suggestedPaths;
  const listAll = () => setComplete(true);
  return (
    <div class="image-link-list">
      <select
        class="input image-link-choice"
        aria-label={t('Path of {0} in the table', name)}
        value={selectedPath}
        onPointerDown={listAll}
        onFocus={listAll}
        onChange={({ currentTarget }) => setSelectedPath(currentTarget.value)}
      >
        <option value="">{t('Choose its path…')}</option>
        {listed.map(({ path, rows }) => (
          <option key={path} value={path} title={path}>
            {path === suggested
              ? t.count(rows, '{1} (1 row, suggested)', '{1} ({0} rows, suggested)', path)
              : t.count(rows, '{1} (1 row)', '{1} ({0} rows)', path)}
          </option>
        ))}
      </select>
      <Button
        primary
        aria-label={t('Link {0}', name)}
        disabled={selectedPath === ''}
        onClick={() => saveTo(selectedPath)}
      >
        {t({ message: 'Link', comment: 'Verb: link a table to its masks' })}
      </Button>
    </div>
  );
}

/** Thumbnails of masks, fetched when images scroll into view. */
class MasksThumbnails {
  private readonly imageOf = new Map<Element, number>();
  private readonly observer = new IntersectionObserver(entries => {
    for (const { target, isIntersecting } of entries) if (isIntersecting) void this.draw(target);
  });

  constructor(private readonly fetch: ImageLinksSource['thumbnail']) {}

  drawWhenVisible(container: Element, image: number): void {
    this.imageOf.set(container, image);
    this.observer.observe(container);
  }

  private async draw(container: Element): Promise<void> {
    this.observer.unobserve(container);
    const image = this.imageOf.get(container);
    this.imageOf.delete(container);
    if (image === undefined) return;
    // Without a thumbnail, the number of objects still helps the user.
    const masks = await this.fetch(image).catch(() => undefined);
    if (masks) container.append(silhouettes(masks, getComputedStyle(container).color));
  }
}

/** Draws all objects in one color. */
function silhouettes({ width, height, labels }: MasksThumbnail, color: string): HTMLCanvasElement {
  const canvas = element('canvas', { width, height });
  const context = canvas.getContext('2d');
  if (!context || width === 0 || height === 0) return canvas;
  const pixels = context.createImageData(width, height);
  new Uint32Array(labels).forEach((label, index) => (pixels.data[index * 4 + 3] = label === 0 ? 0 : 255));
  context.putImageData(pixels, 0, 0);
  context.globalCompositeOperation = 'source-in';
  context.fillStyle = color;
  context.fillRect(0, 0, width, height);
  return canvas;
}
