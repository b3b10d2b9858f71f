export const readText = () =>
  ({
    "image.too_big": {
      en: "{path} is a {size} image; models accept at most 3.75 MiB",
      zh: "{path} 是 {size} 的图片；模型最多接受 3.75 MiB",
    },
    "image.too_wide": {
      en: "{path} is an image of {width}x{height} pixels; models accept at most 8000 per side",
      zh: "{path} 是 {width}x{height} 像素的图片；模型每边最多接受 8000 像素",
    },
    "image.shrink": {
      en: "Make a smaller copy and read that, for example: magick IN -resize 1568x1568 OUT.",
      zh: "请生成较小的副本再读取，例如：magick IN -resize 1568x1568 OUT。",
    },
    "image.damaged": {
      en: "{path} is not a complete image: {kind}, {size}, damaged or cut off",
      zh: "{path} 不是完整的图片：{kind}，{size}，已损坏或被截断",
    },
    "image.repair": {
      en: "Recreate it, or inspect it with a shell command.",
      zh: "请重新生成该图片，或用 shell 命令查看。",
    },
    "pdf.no_tool": {
      en: "{path} is a PDF; reading it needs pdftotext or mutool, and neither is on the PATH outside the workspace",
      zh: "{path} 是 PDF 文档；读取它需要 pdftotext 或 mutool，但工作区之外的 PATH 中两者都没有",
    },
    "pdf.install": {
      en: "Install poppler-utils (macOS, Arch: poppler) or mupdf-tools, or ask the user to; then read it again.",
      zh: "请安装 poppler-utils（macOS、Arch：poppler）或 mupdf-tools，或请用户安装；然后重新读取。",
    },
    "pdf.locked": { en: "{path} is a password-protected PDF", zh: "{path} 是有密码保护的 PDF 文档" },
    "pdf.unlock": {
      en: "Ask the user for a copy without a password.",
      zh: "请向用户索取不带密码的副本。",
    },
    "pdf.broken": {
      en: "{tool} could not read {path} as a PDF: {problem}",
      zh: "{tool} 无法将 {path} 作为 PDF 文档读取：{problem}",
    },
    "pdf.other_copy": {
      en: "It may be damaged: get another copy, or inspect it with a shell command.",
      zh: "文件可能已损坏：请换一份副本，或用 shell 命令查看。",
    },
    "pdf.timeout": {
      en: "{tool} did not finish reading {path} within {seconds} s",
      zh: "{tool} 未能在 {seconds} 秒内读完 {path}",
    },
    "pdf.fewer_pages": {
      en: "Read it in parts with a shell command, such as pdftotext -f 1 -l 20 FILE -.",
      zh: "请用 shell 命令分段读取，例如 pdftotext -f 1 -l 20 FILE -。",
    },
  }) as const;
