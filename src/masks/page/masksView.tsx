import { ImageStrip } from './imageStrip';
import { Split } from './masksSplit';
import { FileNotice, StatusLine } from './masksStatus';
import { Toolbar } from './masksToolbar';
import type { MasksStore } from './state/masksStore';
import type { Thumbnails } from './thumbnails';

interface MasksViewProps {
  store: MasksStore;
  thumbnails: Thumbnails;
  /** The element of the image. It isn't rendered from the store. */
  stage: HTMLElement;
}

/** The masks page from top to bottom. */
export function MasksView({ store, thumbnails, stage }: MasksViewProps) {
  return (
    <>
      <Toolbar store={store} />
      <FileNotice store={store} />
      <div class="masks-body">
        {store.images.length > 1 && <ImageStrip store={store} thumbnails={thumbnails} />}
        <Split store={store} stage={stage} />
      </div>
      <StatusLine store={store} />
      <div class="visually-hidden" role="status" aria-live="polite">
        {store.messages.said}
      </div>
    </>
  );
}
