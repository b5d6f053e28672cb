import { pathParts } from '../../../base/pathParts';
import { LinkButton } from '../../../pages/page/widgets/parts';
import type { ComparisonProps } from './ratios';

/** Whether the image is shown beneath the outlines, and which file it is or why there is none. */
export function ImageRow({ store: { beneath }, text }: ComparisonProps) {
  const pairing = beneath.pairing.value;
  return (
    <>
      <label class="side-row">
        <input type="checkbox" checked={beneath.isShown.value} onChange={() => beneath.toggle()} />
        <span class="side-name">{text.get('showImage')}</span>
      </label>
      {beneath.isShown.value &&
        (pairing ? (
          <p class="hint image-found" title={pairing.path}>
            <span>
              {[pairing.path && pathParts(pairing.path).at(-1), pairing.how].filter(Boolean).join(': ')}
            </span>
            {pairing.state === 'suggested' && (
              <LinkButton onClick={() => void beneath.confirm()}>{text.get('confirmImage')}</LinkButton>
            )}
            {pairing.state !== 'paired' && (
              <LinkButton onClick={() => void beneath.choose()}>{text.get('chooseImage')}</LinkButton>
            )}
          </p>
        ) : (
          <p class="hint">{text.get('lookingForImage')}</p>
        ))}
    </>
  );
}
