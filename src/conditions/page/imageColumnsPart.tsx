import { useSignal } from '@preact/signals';
import { isCoded } from '../../base/errors';
import { Button, IconButton, WordButton } from '../../pages/page/widgets/parts';
import { openPopover } from '../../pages/page/widgets/popover';
import type { ImageColumnsModel } from './imageColumnsModel';
import { type ImagePartProps, type ImageText, failureWords } from './imageWords';
import { ImageSheet } from './imageSheet';
import { PatternBar, Proposal, SheetBar } from './imageSources';

/** What is known of images, in place of the rows, which are inert meanwhile: a row an image, a column a property. */
export function ImageColumnsPart(props: ImagePartProps) {
  const { images, text } = props;
  if (!images.isOpen.value) return null;
  return (
    <main class="over-rows image-columns" aria-label={text.get('imageColumns')}>
      <div class="over-rows-head">
        <IconButton
          icon="arrow-left"
          label={text.get(images.isFromComparison.value ? 'backToComparison' : 'backToTable')}
          onClick={() => images.leave()}
        />
        <h2>{text.get('imageColumns')}</h2>
        <Note {...props} />
        <Actions {...props} />
      </div>
      <Content {...props} />
    </main>
  );
}

function Note({ images, text }: ImagePartProps) {
  const known = images.known.value;
  if (!known) return null;
  const { length } = known.excluded;
  const excluded = length > 0 ? ` · ${text.get('imagesExcluded', length)}` : '';
  return (
    <p class="image-note" role="status">
      {text.count('imageColumnsNote', known.images.length) + excluded}
    </p>
  );
}

function Actions({ images, text }: ImagePartProps) {
  const known = images.known.value;
  if (!known || known.images.length === 0) return null;
  const { top, bottom } = images.selected.value;
  const reasons = images.reasons.value;
  const isExcluded = Array.from({ length: bottom - top + 1 }, (_, at) => top + at).every(image =>
    reasons.has(image),
  );
  return (
    <span class="image-actions">
      <IconButton
        icon="discard"
        label={text.get('undoImages')}
        disabled={!images.canUndo.value}
        onClick={() => images.undo()}
      />
      <IconButton
        icon="redo"
        label={text.get('redoImages')}
        disabled={!images.canRedo.value}
        onClick={() => images.redo()}
      />
      <WordButton
        icon="add"
        label={text.get('addImageColumn')}
        onClick={() => images.addColumn(text.get('newColumn'))}
      />
      <WordButton icon="regex" label={text.get('fromPattern')} onClick={() => images.openPattern()} />
      <WordButton icon="combine" label={text.get('joinSheet')} onClick={() => void images.joinSheet()} />
      {isExcluded ? (
        <WordButton icon="eye" label={text.get('includeImage')} onClick={() => images.exclude('')} />
      ) : (
        <WordButton
          icon="eye-closed"
          label={text.get('excludeImage')}
          onClick={({ currentTarget }) => openExclude(images, text, currentTarget)}
        />
      )}
      <WordButton
        icon="save"
        label={text.get('saveSheet')}
        disabled={known.columns.length + known.excluded.length === 0}
        onClick={() => void images.saveSheet()}
      />
    </span>
  );
}

/** Asks why the selected images are left out. */
function openExclude(images: ImageColumnsModel, text: ImageText, anchor: HTMLElement): void {
  openPopover({
    anchor,
    label: text.get('excludeImage'),
    className: 'image-exclude',
    view: close => <ExcludeForm text={text} exclude={reason => (images.exclude(reason), close())} />,
  });
}

function ExcludeForm({ text, exclude }: { text: ImageText; exclude: (reason: string) => void }) {
  const reason = useSignal('');
  const submit = () => {
    if (reason.value.trim() !== '') exclude(reason.value);
  };
  return (
    <>
      <label class="image-field">
        <span>{text.get('excludeReason')}</span>
        <input
          class="input"
          autofocus
          value={reason}
          onInput={({ currentTarget }) => (reason.value = currentTarget.value)}
          onKeyDown={event => {
            if (event.key !== 'Enter') return;
            // The focus goes back to the button, which would be pressed by it.
            event.preventDefault();
            submit();
          }}
        />
      </label>
      <p class="popover-note">{text.get('excludeReasonHint')}</p>
      <Button primary disabled={reason.value.trim() === ''} onClick={submit}>
        {text.get('exclude')}
      </Button>
    </>
  );
}

function Content(props: ImagePartProps) {
  const { images, text } = props;
  const failure = images.failure.value;
  const known = images.known.value;
  if (failure !== undefined && !isCoded(failure, 'cancelled'))
    return (
      <div class="image-message">
        <p role="alert">{text.get('imagesFailed', failureWords(text, failure))}</p>
        <Button primary onClick={() => void images.load()}>
          {text.get('imagesRetry')}
        </Button>
      </div>
    );
  if (!known)
    return (
      <div class="image-message" role="status">
        {text.get('imagesLoading')}
      </div>
    );
  if (known.images.length === 0) return <div class="image-message">{text.get('imagesNone')}</div>;
  return (
    <>
      <Proposal {...props} />
      <PatternBar {...props} />
      <SheetBar {...props} />
      <ImageSheet {...props} />
    </>
  );
}
