// The front page of a folder of results: a picture and the main numbers of each, and a link to its page.
#pragma once

#include <string>
#include <vector>

#include "cairn/base/vec.hpp"
#include "cairn/record/frame.hpp"

namespace cairn::view {

struct Card {
  std::string name;                              // of the results file, without its ending
  std::string title, scene;                      // as the result says
  std::string page, picture;                     // files, relative to the front page
  double picture_width = 0, picture_height = 0;  // [px]
  int dimension = 2;
  bool finished = true;
  long bodies = 0, free = 0, contacts = 0, steps = 0;  // contacts: at most
  Real time = 0;                                       // [s] simulated
  Real error = 0, violation = 0, energy_defect = 0;    // [-], [m], [-]: the worst, the worst, in all
  std::string outcome;                                 // JSON object; empty: none
  int frames = 0, page_frames = 0;                     // in the result, in the page
  double megabytes = 0;                                // of the page
};

// Contacts, steps, error, violation, energy defect (of the energy exchanged and the largest kinetic energy).
void add_steps(Card& card, const std::vector<record::StepRow>& steps);

struct Unreadable {
  std::string file, reason;
};

std::string gallery_html(const std::string& title, const std::string& version, const std::vector<Card>& cards,
                         const std::vector<Unreadable>& unreadable);

// A file's name as part of an address.
std::string address_of(const std::string& path);

// Whether a front page that was made before shows this file.
bool shows(const std::string& front_page, const std::string& path);

inline constexpr const char* gallery_kind = "gallery";

}  // namespace cairn::view
