import { t } from '../../pages/page/l10n';
import { useSignal } from '@preact/signals';
import { isCoded } from '../../base/errors';
import { Button, IconButton, WordButton } from '../../pages/page/widgets/parts';
import { openPopover } from '../../pages/page/widgets/popover';
import type { ImageColumnsModel } from './imageColumnsModel';
import { type ImagePartProps, failureWords } from './imageWords';
import { ImageSheet } from './imageSheet';
import { PatternBar, Proposal, SheetBar } from './imageSources';

/** The sheet with the metadata of images, shown over the inert rows. */
export function ImageColumnsPart(props: ImagePartProps) {
  const { images } = props;
  if (!images.isOpen.value) return null;
  return (
    <main class="over-rows image-columns" aria-label={t('Image Columns')}>
      <div class="over-rows-head">
        <IconButton
          icon="arrow-left"
          label={images.isFromComparison.value ? t('Back to Compare Conditions') : t('Back to Table')}
          onClick={() => images.leave()}
        />
        <h2>{t('Image Columns')}</h2>
        <ImageCount {...props} />
        <Actions {...props} />
      </div>
      <SheetContent {...props} />
    </main>
  );
}

function ImageCount({ images }: ImagePartProps) {
  const metadata = images.metadata.value;
  if (!metadata) return null;
  const { length } = metadata.excluded;
  const excluded = length > 0 ? ` · ${t('{0} excluded', length)}` : '';
  return (
    <p class="image-note" role="status">
      {t.count(metadata.images.length, '1 image', '{0} images') + excluded}
    </p>
  );
}

function Actions({ images }: ImagePartProps) {
  const metadata = images.metadata.value;
  if (!metadata || metadata.images.length === 0) return null;
  const { top, bottom } = images.selected.value;
  const reasons = images.reasons.value;
  const isExcluded = Array.from({ length: bottom - top + 1 }, (_, at) => top + at).every(image =>
    reasons.has(image),
  );
  return (
    <span class="image-actions">
      <IconButton
        icon="discard"
        label={t({ message: 'Undo', comment: 'Verb' })}
        disabled={!images.canUndo.value}
        onClick={() => images.undo()}
      />
      <IconButton
        icon="redo"
        label={t('Redo')}
        disabled={!images.canRedo.value}
        onClick={() => images.redo()}
      />
      <WordButton icon="add" label={t('Add Column')} onClick={() => images.addColumn(t('Column'))} />
      <WordButton icon="regex" label={t('From File Names…')} onClick={() => images.openPattern()} />
      <WordButton icon="combine" label={t('Join Sample Sheet…')} onClick={() => void images.joinSheet()} />
      {isExcluded ? (
        <WordButton icon="eye" label={t('Include Image')} onClick={() => images.exclude('')} />
      ) : (
        <WordButton
          icon="eye-closed"
          label={t('Exclude Image…')}
          onClick={({ currentTarget }) => openExclude(images, currentTarget)}
        />
      )}
      <WordButton
        icon="save"
        label={t('Save Sample Sheet…')}
        disabled={metadata.columns.length + metadata.excluded.length === 0}
        onClick={() => void images.saveSheet()}
      />
    </span>
  );
}

/** Lets the user enter the reason for excluding the selected images. */
function openExclude(images: ImageColumnsModel, anchor: HTMLElement): void {
  openPopover({
    anchor,
    label: t('Exclude Image…'),
    className: 'image-exclude',
    view: close => <ExcludeForm exclude={reason => (images.exclude(reason), close())} />,
  });
}

function ExcludeForm({ exclude }: { exclude: (reason: string) => void }) {
  const reason = useSignal('');
  const submit = () => {
    if (reason.value.trim() !== '') exclude(reason.value);
  };
  return (
    <>
      <label class="image-field">
        <span>{t({ message: 'Reason', comment: 'Why an image is excluded' })}</span>
        <input
          class="input"
          autofocus
          value={reason}
          onInput={({ currentTarget }) => (reason.value = currentTarget.value)}
          onKeyDown={event => {
            if (event.key !== 'Enter') return;
            // The focus returns to the button, and the same key press would click it.
            event.preventDefault();
            submit();
          }}
        />
      </label>
      <p class="popover-note">
        {t('Excluded images stay listed, and are named wherever statistics leave them out.')}
      </p>
      <Button primary disabled={reason.value.trim() === ''} onClick={submit}>
        {t({ message: 'Exclude', comment: 'Verb: exclude an image from comparisons' })}
      </Button>
    </>
  );
}

function SheetContent(props: ImagePartProps) {
  const { images } = props;
  const failure = images.failure.value;
  const metadata = images.metadata.value;
  if (failure !== undefined && !isCoded(failure, 'cancelled'))
    return (
      <div class="image-message">
        <p role="alert">{t("Couldn't read the images: {0}", failureWords(failure))}</p>
        <Button primary onClick={() => void images.load()}>
          {t('Retry')}
        </Button>
      </div>
    );
  if (!metadata)
    return (
      <div class="image-message" role="status">
        {t('Reading images…')}
      </div>
    );
  if (metadata.images.length === 0)
    return <div class="image-message">{t('No column of the table names images.')}</div>;
  return (
    <>
      <Proposal {...props} />
      <PatternBar {...props} />
      <SheetBar {...props} />
      <ImageSheet {...props} />
    </>
  );
}
