import { t } from '../../pages/page/l10n';
import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Divider } from '../../pages/page/widgets/divider';
import { Inspector } from './inspector/inspector';
import { inspectorPlace, isBeside } from './state/inspectorPlace';
import type { MasksStore } from './state/masksStore';

interface SplitProps {
  store: MasksStore;
  stage: HTMLElement;
}

/** The image and the inspector, beside or below each other, with a divider between. */
export function Split({ store, stage }: SplitProps) {
  const { image, layout } = store;
  const [root, side] = [useElement(), useElement()];
  const room = useSignal({ width: 0, height: 0 });
  const isBesideNow = useRef(true);
  const hasRoom = room.value.width > 0;
  const summary = image.summary.value;
  // The inspector goes where it leaves the larger image.
  if (hasRoom && summary) isBesideNow.current = isBeside(room.value, summary, isBesideNow.current);
  const beside = isBesideNow.current;
  const place = inspectorPlace(room.value, beside, layout.inspectorSizes.value);
  useLayoutEffect(() => {
    const { current } = root;
    if (!current || !side.current) return;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = current;
      // A hidden page has no size; its last size stays for when it is shown again.
      if (width > 0 && height > 0) room.value = { width, height };
    };
    new ResizeObserver(measure).observe(current);
    // The room is measured before the canvas gets its size, for which the view is restored.
    measure();
    current.insertBefore(stage, side.current);
  }, []);
  const resize = (requestedSize: number | undefined) => {
    const sizes = { width: requestedSize, height: requestedSize };
    const limitedSize =
      requestedSize === undefined ? requestedSize : inspectorPlace(room.peek(), beside, sizes).size;
    layout.resize(beside ? 'width' : 'height', limitedSize);
  };
  const size = hasRoom ? `${place.size}px` : '';
  return (
    <div ref={root} class={beside ? 'masks-split' : 'masks-split below'}>
      <aside ref={side} class="inspector-side" aria-label={t('Details')} hidden={!layout.details.value}>
        <Divider
          label={t('Resize Details')}
          controls="inspector"
          beside={beside}
          sizing={place}
          resize={resize}
        />
        <div
          id="inspector"
          class="inspector"
          style={{ width: beside ? size : '', height: beside ? '' : size }}
        >
          <Inspector store={store} />
        </div>
      </aside>
    </div>
  );
}

function useElement() {
  return useRef<HTMLDivElement>(null);
}
