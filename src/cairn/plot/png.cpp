// PNG pictures. The only unit that sees librsvg and cairo.
#include <librsvg/rsvg.h>

#include <cmath>
#include <memory>

#include "cairn/plot/figure.hpp"

#ifdef __SANITIZE_ADDRESS__
// fontconfig keeps the parts of its patterns by offsets, which the leak checker does not follow.
extern "C" const char* __lsan_default_suppressions() { return "leak:libfontconfig\n"; }
extern "C" const char* __lsan_default_options() { return "print_suppressions=0"; }
#endif

namespace cairn::plot {
namespace {

struct Release {
  void operator()(RsvgHandle* handle) const { g_object_unref(handle); }
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* cairo) const { cairo_destroy(cairo); }
};

template <class T>
using Owned = std::unique_ptr<T, Release>;

// What the library says, and the end of its error object.
Error failure(GError* error) {
  const std::string why = error ? error->message : "unknown reason";
  g_clear_error(&error);
  return Error{"cannot be drawn (" + why + ")"};
}

cairo_status_t append(void* to, const unsigned char* bytes, unsigned int count) {
  static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(bytes), count);
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace

Expected<std::string> to_png(const Figure& figure, double scale) {
  const std::string svg = to_svg(figure);
  GError* error = nullptr;
  const Owned<RsvgHandle> handle(
      rsvg_handle_new_from_data(reinterpret_cast<const guint8*>(svg.data()), svg.size(), &error));
  if (!handle) return failure(error);

  const double width = std::round(figure.width * scale), height = std::round(figure.height * scale);
  const Owned<cairo_surface_t> surface(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(width), static_cast<int>(height)));
  const Owned<cairo_t> cairo(cairo_create(surface.get()));
  const RsvgRectangle page{0, 0, width, height};
  if (!rsvg_handle_render_document(handle.get(), cairo.get(), &page, &error)) return failure(error);
  std::string bytes;
  const cairo_status_t status = cairo_surface_write_to_png_stream(surface.get(), append, &bytes);
  if (status == CAIRO_STATUS_SUCCESS) return bytes;
  return Error{std::string("cannot be drawn (") + cairo_status_to_string(status) + ")"};
}

Expected<std::string> write_png(const std::string& path, const Figure& figure, double scale) {
  const Expected<std::string> bytes = to_png(figure, scale);
  return bytes ? write_text(path, *bytes) : Error{path + ": " + bytes.error()};
}

}  // namespace cairn::plot
