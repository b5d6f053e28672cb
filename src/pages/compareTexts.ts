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
      'A and B have no image in common that can be compared. Pair images in the panel on the right.',
    ),
    images: t('Images'),
    imagesByName: t('In Order'),
    imagesWorst: t('Lowest F1 First'),
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
    openPairs: t('Pairs Table…'),
    savePng: t('Save View as PNG (S)'),
    saveSvg: t('Save View as SVG'),
    savePlotPng: t('Save Plot as PNG'),
    savePlotSvg: t('Save Plot as SVG'),
    saved: t('Saved {0}'),
    comparing: t('Comparing…'),
    cancel: t('Cancel'),
    loadFailed: t("Couldn't load. {0}"),
    saveFailed: t("Couldn't save. {0}"),
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
    f1: t('F1'),
    f1Hint: t('2 × matched ÷ (objects of A + objects of B)'),
    accuracy: t('Accuracy'),
    accuracyHint: t('Matched ÷ (matched + only A + only B). Some tools call it average precision.'),
    meanMatchedIou: t('Mean matched IoU'),
    meanMatchedIouHint: t('Mean IoU of the matched pairs'),
    panopticQuality: t('Panoptic quality'),
    panopticQualityAt: t('Panoptic quality at {0}'),
    panopticQualityHint: t(
      'Sum of IoU ÷ (matched + half of the others). As published, the threshold is 0.5.',
    ),
    counts: t('Objects per Image'),
    countsLabel: t('Objects of A (across) and B (up) in each image; on the line both are equal'),
    countsFile: t('{0} counts'),
    countOf: t('{0}: A {1}, B {2}'),
    countAxisA: t('Objects of A'),
    countAxisB: t('Objects of B'),
    byClass: t('F1 by class, pooled'),
    meanOverClasses: t('Mean over {0} classes'),
    meanOverClassesOne: t('Mean over 1 class'),
    confusions: t('Class of A → class of B'),
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
    showOutcomes: t('Color objects by outcome (O)'),
    showImage: t('Image (I)'),
    lookingForImage: t('Looking for the background image…'),
    confirmImage: t('Use as Background'),
    chooseImage: t('Select Background Image…'),
    outcomes: t('Outcomes in This Image'),
    outcome: t('Outcome'),
    matched: t('Matched'),
    onlyA: t('Only A'),
    onlyB: t('Only B'),
    split: t('Split'),
    splitHint: t('Objects of A in which two or more of B have half of their area'),
    merged: t('Merged'),
    mergedHint: t('Objects of B in which two or more of A have half of their area'),
    ignored: t('Ignored'),
    outside: t('Outside the region'),
    noneOf: t('None in this image'),
    nextHint: t('N selects the next object, P the one before.'),
    previousObject: t('Previous Object (P)'),
    nextObject: t('Next Object (N)'),
    objectOfA: t('A {0}'),
    objectOfB: t('B {0}'),
    objectPair: t('A {0} – B {1}'),
    object: t('Object'),
    noObject: t('Click an object to select it.'),
    areaOf: t('{0} px²'),
    iou: t('IoU'),
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
    pairing: t('Images Without a Partner'),
    partnerOf: t('Partner of {0} in B'),
    choosePartner: t('Select in B…'),
    unpairedOfB: t('Only in B'),
    andMore: t('and {0} more'),
    pairedByHand: t('Paired by You'),
    undoPairing: t('Undo Pairing'),
    allPaired: t('All images have a partner.'),
    notCompared: t('Not Compared'),
    notes: t('Notes'),
    unreadable: t("{0}: {1} objects can't be read. {2}"),
    unreadableImage: t('{0}: {1}'),
    unreadableOne: t("{0}: 1 object can't be read. {1}"),
  };
}

function shortcutTexts(t: Translate) {
  return {
    shortcuts: t('Keyboard Shortcuts'),
    shortcutPan: t('Move the image'),
    shortcutZoom: t('Zoom in and out'),
    shortcutFit: t('Fit the image'),
    shortcutImages: t('Previous and next image'),
    shortcutObjects: t('Next and previous object of the list'),
    shortcutSides: t('Show or hide the outlines of A and B'),
    shortcutOutcomes: t('Color objects by outcome'),
    shortcutImage: t('Show or hide the image'),
    shortcutRegion: t('Draw a region to judge'),
    shortcutEscape: t('Stop drawing, or clear the selection'),
    shortcutSave: t('Save the view'),
  };
}
