import type { Translate } from '../words/translate';

/** Texts of the page of a comparison; see sharedTexts. */
export function compareTexts(t: Translate) {
  return {
    opening: t('Opening…'),
    failed: t("Couldn't compare these masks"),
    retry: t('Try Again'),
    percent: t('{0}%'),
    ...viewTexts(t),
    ...figureTexts(t),
    ...outcomeTexts(t),
    ...choiceTexts(t),
    ...shortcutTexts(t),
  };
}

export type CompareTextKey = keyof ReturnType<typeof compareTexts>;

function viewTexts(t: Translate) {
  return {
    canvasLabel: t('{0}: objects of A as solid outlines, of B as dashed ones'),
    noImages: t('No image was compared'),
    noImagesHint: t(
      'A and B have no image in common that can be compared. Pair those that are the same under Images Without a Partner.',
    ),
    images: t('Images'),
    imagesByName: t('In Order'),
    imagesWorst: t('Lowest F1 First'),
    imagesOnlyA: t('Most Only A First'),
    imagesOnlyB: t('Most Only B First'),
    imagesParted: t('Most Split and Merged First'),
    imageF1: t('F1 {0}'),
    imageOutcomes: t('Matched {0}, only A {1}, only B {2}'),
    sortImages: t('Sort images'),
    imageCounts: t('A {0}, B {1}'),
    previousImage: t('Previous Image ([)'),
    nextImage: t('Next Image (])'),
    imageOf: t('{0} of {1}'),
    zoomIn: t('Zoom In (+)'),
    zoomOut: t('Zoom Out (-)'),
    fit: t('Fit Image (0)'),
    judgeRegion: t('Judge Only a Region: Draw Around It (L)'),
    clearRegion: t('Judge Whole Images'),
    regionJudged: t('Only the region is judged, in every image'),
    saveComparison: t('Save Comparison…'),
    openPairs: t('Pairs Table'),
    savePng: t('Save View as PNG (S)'),
    saveSvg: t('Save View as SVG'),
    savePlotPng: t('Save Plot as PNG'),
    savePlotSvg: t('Save Plot as SVG'),
    saved: t('Saved {0}'),
    filteredByTable: t('Filtered by the table'),
    rowsOf: t('{0} of {1} rows'),
    comparing: t('Comparing…'),
    cancel: t('Cancel'),
  };
}

function figureTexts(t: Translate) {
  return {
    threshold: t('IoU threshold'),
    thresholdAt: t('IoU ≥ {0}, F1 {1}'),
    curve: t('F1 at each threshold, pooled over all images'),
    curveAxes: t('IoU threshold and F1'),
    curveFile: t('{0} F1'),
    figures: t('Scores'),
    ofImage: t('Image'),
    ofAll: t('Pooled'),
    ofMean: t('Mean (n)'),
    meanHint: t('Mean over images, and how many have a value'),
    meanOver: t('Mean over {0} images that have a value'),
    meanOverOne: t('Mean over 1 image that has a value'),
    precision: t('Precision'),
    precisionHint: t('Matched objects ÷ objects of B'),
    shareOfB: t('Share of B matched'),
    recall: t('Recall'),
    recallHint: t('Matched objects ÷ objects of A'),
    shareOfA: t('Share of A matched'),
    ofB: t('Of B'),
    ofA: t('Of A'),
    f1: t('F1'),
    f1Hint: t('2 × matched ÷ (objects of A + objects of B)'),
    panopticQualityAt: t('Panoptic quality at {0}'),
    counts: t('Objects per Image'),
    countsLabel: t('Objects of A (across) and B (up) in each image; on the line both are equal'),
    countsFile: t('{0} counts'),
    countOf: t('{0}: A {1}, B {2}'),
    countAxisA: t('Objects of A'),
    countAxisB: t('Objects of B'),
    byClass: t('Class, pooled'),
    classesCorner: t('A ↓ B →'),
    meanOverClasses: t('Mean over {0} classes'),
    meanOverClassesOne: t('Mean over 1 class'),
    confusions: t('Class of A → class of B, in all images'),
    withoutClass: t('No class'),
    noPartner: t('not matched'),
  };
}

function outcomeTexts(t: Translate) {
  return {
    sides: t('View'),
    sideA: t('A: {0}'),
    sideB: t('B: {0}'),
    showA: t('Show A (A)'),
    showB: t('Show B (B)'),
    showOutcomes: t('Color by outcome (O)'),
    colorByOutcome: t('Color by outcome'),
    image: t('Image'),
    showImage: t('Image (I)'),
    lookingForImage: t('Looking for the background image…'),
    confirmImage: t('Use as Background'),
    chooseImage: t('Select Background Image…'),
    outcomes: t('Outcomes'),
    inAll: t('All'),
    outcome: t('Outcome'),
    splitHint: t('Objects of A in which two or more of B have half of their area'),
    mergedHint: t('Objects of B in which two or more of A have half of their area'),
    ignored: t('Ignored'),
    outside: t('Outside the region'),
    noneOf: t('None in this image'),
    countOfList: t('{0}: {1}'),
    nextHint: t('N selects the next object, P the one before, also in other images.'),
    previousObject: t('Previous Object (P)'),
    nextObject: t('Next Object (N)'),
    objectOfA: t('A {0}'),
    objectOfB: t('B {0}'),
    objectPair: t('A {0} – B {1}'),
    object: t('Object'),
    noObject: t('Click an object to select it.'),
    areaOf: t('{0} px²'),
    iou: t('IoU'),
    iouOf: t('IoU {0}'),
    areaRatio: t('Area ratio (B ÷ A)'),
    centerDistance: t('Center distance'),
    pixels: t('{0} px'),
    of: t('{0}, {1}'),
  };
}

function choiceTexts(t: Translate) {
  return {
    classes: t('Classes'),
    classesAll: t('Match objects of any class'),
    classesEach: t('Match objects within a class'),
    classOfA: t('Class of B for "{0}"'),
    noClass: t('None'),
    classesAlone: t('Without a partner, counted as only A or only B: {0}'),
    noClassesOfA: t(
      'Objects of A have no class, so they are matched whatever the class. Select one to match only its objects.',
    ),
    noClassesOfB: t(
      'Objects of B have no class, so they are matched whatever the class. Select No class for one to match only its objects.',
    ),
    pairing: t('Images Without a Partner'),
    filterUnpaired: t('Filter images without a partner'),
    noneMatches: t('No image matches the filter.'),
    partnerOf: t('Partner of {0} in B'),
    enterSelects: t('Press Enter to compare.'),
    choosePartner: t('Select in B…'),
    unpairedOfB: t('Only in B'),
    andMore: t('and {0} more'),
    pairedByHand: t('Paired by You'),
    undoPairing: t('Undo Pairing'),
    allPaired: t('All images have a partner.'),
    notCompared: t('Not Compared'),
    notes: t('Notes'),
    separateAreas: t('Make Each Area an Object'),
    joinAreas: t('Make Them One Object'),
    unreadable: t("{0}: {1} objects can't be read. {2}"),
    unreadableImage: t('{0}: {1}'),
    unreadableOne: t("{0}: 1 object can't be read. {1}"),
  };
}

function shortcutTexts(t: Translate) {
  return {
    shortcuts: t('Keyboard Shortcuts'),
    shortcutSave: t('Save the view'),
  };
}
