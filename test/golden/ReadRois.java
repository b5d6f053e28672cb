import ij.gui.Roi;
import ij.io.RoiDecoder;
import ij.process.ImageProcessor;
import java.awt.Rectangle;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** Prints what ImageJ reads of RoiSet.zip files, a line each: zip, entry, name, type, x, y, width, height, pixels row by row. */
class ReadRois {
  public static void main(String[] zips) throws Exception {
    for (String zip : zips) {
      try (ZipInputStream in = new ZipInputStream(new java.io.FileInputStream(zip))) {
        for (ZipEntry entry; (entry = in.getNextEntry()) != null; ) {
          Roi roi = new RoiDecoder(in.readAllBytes(), null).getRoi();
          Rectangle box = roi.getBounds();
          ImageProcessor mask = roi.getMask();
          StringBuilder pixels = new StringBuilder();
          for (int y = 0; y < box.height; y++)
            for (int x = 0; x < box.width; x++) pixels.append(mask == null || mask.get(x, y) != 0 ? '1' : '0');
          System.out.println(String.join("\t", zip, entry.getName(), roi.getName(), roi.getTypeAsString(),
              "" + box.x, "" + box.y, "" + box.width, "" + box.height, pixels));
        }
      }
    }
  }
}
