import { Icon, IconButton, LinkButton, WordButton } from '../../pages/page/widgets/parts';
import { ComparisonInspector } from './inspector/comparisonInspector';
import { ComparedImages } from './comparedImages';
import { openShortcuts } from './comparisonKeys';
import type { ComparisonStage } from './stage/comparisonStage';
import { type ComparisonProps, viewName } from './state/comparisonStore';

interface ComparisonViewProps extends ComparisonProps {
  /** The image, which isn't a function of the store. */
  stage: ComparisonStage;
}

/** The page of a comparison from top to bottom. */
export function ComparisonView({ store, text, stage }: ComparisonViewProps) {
  const isEmpty = store.images.position.value < 0;
  return (
    <>
      <Toolbar store={store} text={text} stage={stage} />
      <div class="comparison-body">
        {(store.scores.latest.value?.images.length ?? 0) > 1 && <ComparedImages store={store} text={text} />}
        {isEmpty && store.scores.latest.value ? (
          <main class="page-message">
            <Icon name="info" />
            <h2>{text.get('noImages')}</h2>
            <p class="page-message-text">{text.get('noImagesHint')}</p>
          </main>
        ) : (
          <div class="comparison-stage" ref={element => element?.replaceChildren(stage.root)} />
        )}
        <ComparisonInspector store={store} text={text} />
      </div>
      <StatusLine store={store} text={text} />
      <div class="visually-hidden" role="status" aria-live="polite">
        {store.messages.said}
      </div>
    </>
  );
}

function Toolbar({ store, text, stage }: ComparisonViewProps) {
  const { canvas } = stage;
  const count = store.scores.latest.value?.images.length ?? 0;
  const place = store.images.order.value.indexOf(store.images.position.value);
  const name = store.images.nameOf(store.images.position.value);
  const { region } = store.comparing.state.value;
  return (
    <header class="toolbar">
      <h1 class="toolbar-title" title={name || store.title}>
        {name || store.title}
      </h1>
      {count > 1 && (
        <>
          <IconButton
            icon="chevron-left"
            label={text.get('previousImage')}
            disabled={place <= 0}
            onClick={() => void store.go(-1)}
          />
          <span class="image-place">{text.get('imageOf', place + 1, count)}</span>
          <IconButton
            icon="chevron-right"
            label={text.get('nextImage')}
            disabled={place >= count - 1}
            onClick={() => void store.go(1)}
          />
        </>
      )}
      <span class="toolbar-gap" />
      {store.images.position.value >= 0 && (
        <>
          <IconButton
            class="spare"
            icon="zoom-out"
            label={text.get('zoomOut')}
            onClick={() => canvas.zoomBy(1 / 1.5)}
          />
          <IconButton
            class="spare"
            icon="zoom-in"
            label={text.get('zoomIn')}
            onClick={() => canvas.zoomBy(1.5)}
          />
          <IconButton icon="screen-full" label={text.get('fit')} onClick={() => canvas.fit()} />
          <IconButton
            icon="edit"
            label={text.get('judgeRegion')}
            aria-pressed={store.look.draws.value}
            onClick={() => store.look.toggleTool()}
          />
          {region && (
            <IconButton
              icon="clear-all"
              label={text.get('clearRegion')}
              onClick={() => void store.judge(null)}
            />
          )}
          <IconButton
            icon="device-camera"
            label={text.get('savePng')}
            onClick={() => void store.saveDrawing(viewName(store), 'png', () => stage.png())}
          />
          <IconButton
            class="spare"
            icon="symbol-ruler"
            label={text.get('saveSvg')}
            onClick={() => void store.saveDrawing(viewName(store), 'svg', () => stage.svg())}
          />
        </>
      )}
      <IconButton icon="question" label={text.get('shortcuts')} onClick={() => openShortcuts(text)} />
      <WordButton icon="table" label={text.get('openPairs')} onClick={() => void store.openPairs()} />
      <WordButton icon="save" label={text.get('saveComparison')} onClick={() => void store.saveAll()} />
    </header>
  );
}

function StatusLine({ store, text }: ComparisonProps) {
  const share = store.comparing.share.value;
  const failure = store.messages.failure.value;
  return (
    <footer class="status-line">
      {store.comparing.isBusy.value && (
        <span class="status-item">
          <Icon name="loading" spins />
          <span role="status">{text.get('comparing')}</span>
          {share !== undefined && <span class="minor">{text.get('percent', Math.floor(share * 100))}</span>}
          <LinkButton onClick={() => store.comparing.cancel()}>{text.get('cancel')}</LinkButton>
        </span>
      )}
      {failure !== undefined && (
        <span class="status-item notice error" role="alert">
          <Icon name="error" />
          <span class="status-words" title={failure}>
            {failure}
          </span>
        </span>
      )}
      {store.objects.filtered.value && (
        <span class="status-item">
          <Icon name="filter" />
          {text.get('filteredByTable')}
          <span class="minor">
            {text.get('rowsOf', store.objects.filtered.value.rowCount, store.objects.filtered.value.total)}
          </span>
        </span>
      )}
      {store.comparing.state.value.region && (
        <span class="status-item">
          {text.get('regionJudged')}
          <LinkButton onClick={() => void store.judge(null)}>{text.get('clearRegion')}</LinkButton>
        </span>
      )}
      <span class="status-gap" />
      <span class="status-item minor">{store.title}</span>
    </footer>
  );
}
