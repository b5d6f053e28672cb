import type { MasksText } from '../../pages/page/pageText';
import { FileNotice, StatusLine } from './masksStatus';
import { Toolbar } from './masksToolbar';
import type { MasksStore } from './state/masksStore';

interface MasksViewProps {
  store: MasksStore;
  text: MasksText;
  /** Fills the middle of the page, which isn't a function of the store yet. Always the same function. */
  fillBody: (body: HTMLElement | null) => void;
}

/** The masks page from top to bottom. */
export function MasksView({ store, text, fillBody }: MasksViewProps) {
  return (
    <>
      <Toolbar store={store} text={text} />
      <FileNotice store={store} text={text} />
      <div class="masks-body" ref={fillBody} />
      <StatusLine store={store} text={text} />
      <div class="visually-hidden" role="status" aria-live="polite">
        {store.messages.said}
      </div>
    </>
  );
}
