// Puts script, style, licences and the content security policy into the one HTML file.
import { createHash } from "node:crypto";
import type { Plugin } from "vite";

import { gatherLicences } from "./licences.ts";

const kPlaces = ["title", "body", "data"].map((name) => `<!--rangewise:${name}-->`);

function hashSource(text: string): string {
  return `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;
}

function escapeText(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

function replaceOnce(text: string, what: string | RegExp, by: string): string {
  const parts = text.split(what);
  if (parts.length !== 2) throw new Error(`page.html: ${what} is there ${parts.length - 1} times`);
  return parts.join(by); // not String.replace, which would read $ in `by`
}

function policy(script: string, style: string): string {
  const rules = [
    "default-src 'none'",
    `script-src ${hashSource(script)}`,
    `style-src ${hashSource(style)}`,
    "img-src data: blob:",
    "base-uri 'none'",
    "form-action 'none'",
    // No text becomes markup or code, whatever a library does.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return `<meta http-equiv="Content-Security-Policy" content="${rules.join("; ")}">`;
}

export function singlePage(): Plugin {
  return {
    name: "single-page",
    enforce: "post",
    generateBundle(_options, bundle) {
      let page = "";
      let script = "";
      let style = "";
      const modules: string[] = [];
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type === "chunk") {
          if (script) throw new Error("more than one script in the bundle");
          script = file.code.trim();
          modules.push(...Object.keys(file.modules));
        } else if (name.endsWith(".css")) {
          style += String(file.source).trim();
        } else if (name === "page.html") {
          page = String(file.source);
        } else {
          throw new Error(`${name} has no place in a single file`);
        }
        delete bundle[name];
      }
      if (!script || !style || !page) throw new Error("script, style or page.html is missing");
      for (const text of [script, style]) {
        if (/<\/(script|style)|<!--/i.test(text)) throw new Error("a bundle would end its element");
      }
      const licences = gatherLicences(modules);
      page = replaceOnce(page, /\s*<link rel="stylesheet"[^>]*>/, `\n<style>${style}</style>`);
      page = replaceOnce(page, /\s*<script type="module"[^>]*><\/script>/, "");
      page = replaceOnce(page, "</body>", `<script>${script}</script>\n</body>`);
      page = replaceOnce(page, "<!--page:policy-->", policy(script, style));
      page = replaceOnce(page, "<!--page:licences-->", escapeText(licences));
      for (const place of kPlaces) replaceOnce(page, place, "");
      this.emitFile({ type: "asset", fileName: "page.html", source: page });
      this.emitFile({ type: "asset", fileName: "licences.txt", source: licences });
    },
  };
}
