#include "cairn/export/vtp.hpp"

#include <fmt/format.h>

#include <bit>

#include "cairn/export/output_file.hpp"
#include "cairn/plot/page.hpp"

namespace cairn::exporting {
namespace {

template <class T>
std::span<const char> bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

}  // namespace

Vtp::Vtp(std::string comment, Real t, std::span<const Real> xyz) {
  for (std::size_t at = 0; (at = comment.find("--", at)) != std::string::npos;) comment.erase(at, 1);
  head_ = fmt::format(
      "<?xml version=\"1.0\"?>\n<!-- {} -->\n"
      "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"{}\" header_type=\"UInt64\">\n<PolyData>\n"
      "<FieldData><DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{}</DataArray>"
      "</FieldData>\n<Piece NumberOfPoints=\"{}\"",
      comment, std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian", t, xyz.size() / 3);
  open("Points");
  array("position", xyz, 3);
}

void Vtp::open(const std::string& section) {
  if (!section_.empty()) xml_ += fmt::format("</{}>\n", section_);
  section_ = section;
  if (!section_.empty()) xml_ += fmt::format("<{}>\n", section_);
}

void Vtp::append(const std::string& type, const std::string& name, int components, std::span<const char> bytes) {
  xml_ +=
      fmt::format("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"{}\"/>\n",
                  type, plot::escape(name), components, bytes_.size());
  const std::uint64_t length = bytes.size();
  bytes_.append(reinterpret_cast<const char*>(&length), sizeof length);
  bytes_.append(bytes.data(), bytes.size());
}

void Vtp::array(const std::string& name, std::span<const float> values, int components) {
  append("Float32", name, components, bytes_of(values));
}
void Vtp::array(const std::string& name, std::span<const Real> values, int components) {
  append("Float64", name, components, bytes_of(values));
}
void Vtp::array(const std::string& name, std::span<const std::int32_t> values, int components) {
  append("Int32", name, components, bytes_of(values));
}

void Vtp::cells(CellList vertices, CellList lines, CellList polygons) {
  head_ += fmt::format(" NumberOfVerts=\"{}\" NumberOfLines=\"{}\" NumberOfStrips=\"0\" NumberOfPolys=\"{}\">\n",
                       vertices.ends.size(), lines.ends.size(), polygons.ends.size());
  const auto list = [this](const char* section, const CellList& cells) {
    open(section);
    array("connectivity", cells.corners);
    array("offsets", cells.ends);
  };
  list("Verts", vertices), list("Lines", lines), list("Polys", polygons);
}

Expected<std::string> Vtp::write(const std::string& path) {
  open("");
  OutputFile file(path);
  for (const std::string& text : {head_, xml_}) file.write(text);
  file.write("</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_");
  file.write(bytes_);
  file.write("\n</AppendedData>\n</VTKFile>\n");
  return file.commit();
}

}  // namespace cairn::exporting
